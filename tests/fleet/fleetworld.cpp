// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "fleetworld.h"

#include <rekindle/fleet/fleetrecords.h>

#include <algorithm>
#include <utility>

namespace Rekindle {

using namespace std::chrono_literals;

namespace {

constexpr Duration faultTime = 150s;
// The latest write (40 s), an own session of a run that is unknown and that of a holder (each D at
// the slowest rate), the stop sequence and the longest rank delay.
constexpr Duration recoveryTime = 100s;
constexpr Duration handoverTime = 40s;
constexpr Duration longestHandover = 1500ms;

} // namespace

// One agent on one machine: its process, and how its host supervises it.
class FleetWorld::Copy
{
public:
    Copy(Machine &machine, QString agent);

    void start(qint64 token);
    void stop();
    void crash();
    void kill(); ///< by the guard, or with the machine
    void killWithin(Duration delay);
    [[nodiscard]] bool isAlive() const { return m_alive; }

private:
    void spawn();
    void noticeExit();

    FleetWorld &m_world;
    Machine &m_machine;
    QString m_agent;
    qint64 m_token = 0;
    bool m_alive = false;
    bool m_isWanted = false;
    Deadline m_death; ///< of the process
    Deadline m_spawn; ///< by the host, like the others
    Deadline m_killTimer;
    Deadline m_exitNotice;
};

class FleetWorld::Machine final : public FleetAgents
{
public:
    /// `node` is the id in its configuration, by mistake perhaps that of another machine.
    Machine(FleetWorld &world, QString name, QString node)
        : m_world(world)
        , m_name(std::move(name))
        , m_nodeId(std::move(node))
    {
        boot();
    }
    ~Machine() override { shutDown(); }
    Q_DISABLE_COPY_MOVE(Machine)

    void start(const QString &agent, qint64 token) override { m_copies.at(agent).start(token); }
    void stop(const QString &agent) override { m_copies.at(agent).stop(); }
    void setKillDeadline(Instant deadline) override
    {
        m_killDeadline = deadline;
        m_kill->arm(deadline);
    }
    void report(const QString &fault) override { m_world.note(m_name + u": " + fault); }

    void pause(Duration time);
    void partition(Duration time);
    void killHost(Duration time);
    void reboot(Duration time);
    void exhaust(const QString &agent, Duration time);
    void shutDownHost(Duration time);
    void drain(Duration time);
    void crash(const QString &agent) { m_copies.at(agent).crash(); }
    void loseWatches() { m_store->loseWatches(); }
    void setDraining(bool draining) { m_node->setDraining(draining); }
    [[nodiscard]] bool move(const QString &agent, const Machine &target)
    {
        return !m_hostIsDead && m_pauses == 0 && m_node->move(agent, target.m_nodeId);
    }
    [[nodiscard]] bool isHeld() const { return m_node->isHeld(); }
    void heal();

    [[nodiscard]] const QString &name() const { return m_name; }
    [[nodiscard]] QByteArray renewalKey() const { return fleetRenewalKey(m_nodeId); }
    [[nodiscard]] bool isAlive(const QString &agent) const
    {
        const auto found = m_copies.find(agent);
        return found != m_copies.end() && found->second.isAlive();
    }

private:
    friend class Copy;

    void boot();
    void shutDown();
    void startHost();
    void stopHost();
    void restartHost();
    [[nodiscard]] bool isPastKillDeadline() const { return m_clock->now() >= m_killDeadline; }

    FleetWorld &m_world;
    QString m_name;
    QString m_nodeId;
    bool m_hostIsDead = false;
    int m_pauses = 0;
    int m_partitions = 0;
    int m_runs = 0;
    QString m_previousRun;
    Instant m_killDeadline = Instant::max();

    std::unique_ptr<NodeClock> m_clock;
    std::unique_ptr<NodeScheduler> m_host;
    std::unique_ptr<NodeScheduler> m_guard; ///< and the processes
    std::unique_ptr<Deadline> m_kill;
    std::unique_ptr<VirtualStore> m_store;
    std::map<QString, Copy> m_copies;
    std::unique_ptr<FleetNode> m_node;
};

FleetWorld::Copy::Copy(Machine &machine, QString agent)
    : m_world(machine.m_world)
    , m_machine(machine)
    , m_agent(std::move(agent))
    , m_death(*machine.m_guard, [this] { kill(); })
    , m_spawn(*machine.m_host, [this] { spawn(); })
    , m_killTimer(*machine.m_host, [this] { kill(); })
    , m_exitNotice(*machine.m_host, [this] { noticeExit(); })
{
}

void FleetWorld::Copy::start(qint64 token)
{
    m_token = token;
    m_isWanted = true;
    m_spawn.armIn(m_world.between(0, 0.05));
}

void FleetWorld::Copy::spawn()
{
    if (m_machine.isPastKillDeadline()) { // the guard kills it at once
        m_exitNotice.armIn(1ms);
        return;
    }
    m_alive = true;
    m_world.began(m_agent, m_machine.m_name, m_token);
}

void FleetWorld::Copy::stop()
{
    m_isWanted = false;
    m_spawn.disarm();
    if (!m_alive) {
        m_exitNotice.armIn(1ms);
        return;
    }
    // Others ignore SIGTERM. The guard may have killed it already.
    if (m_world.uniform() < 0.7 && !m_death.isArmed())
        m_death.armIn(m_world.between(0, 7));
    m_killTimer.armIn(FleetTimes().stopSequence);
}

void FleetWorld::Copy::crash()
{
    if (m_alive)
        kill();
}

void FleetWorld::Copy::killWithin(Duration delay)
{
    if (m_alive)
        m_death.armIn(delay);
}

void FleetWorld::Copy::kill()
{
    m_death.disarm();
    m_killTimer.disarm();
    if (!std::exchange(m_alive, false))
        return;
    m_world.ended(m_agent, m_machine.m_name);
    m_exitNotice.armIn(m_world.between(0.001, 0.01));
}

void FleetWorld::Copy::noticeExit()
{
    if (!m_isWanted)
        m_machine.m_node->reaped(m_agent);
    else if (m_machine.m_node->permits(m_agent))
        m_spawn.armIn(m_world.between(0, 1)); // a local restart
    else
        m_exitNotice.armIn(100ms); // until it is permitted, or stopped
}

void FleetWorld::Machine::boot()
{
    m_clock = std::make_unique<NodeClock>(m_world.m_clock, m_world.randomRate());
    m_guard = std::make_unique<NodeScheduler>(m_world.m_scheduler, *m_clock);
    m_kill = std::make_unique<Deadline>(*m_guard, [this] {
        for (auto &[agent, copy] : m_copies)
            copy.killWithin(m_world.between(0, 0.02));
    });
    m_previousRun.clear();
    startHost();
}

void FleetWorld::Machine::shutDown()
{
    for (auto &[agent, copy] : m_copies)
        copy.kill();
    stopHost();
    m_kill.reset();
    m_guard.reset();
}

void FleetWorld::Machine::startHost()
{
    m_hostIsDead = false;
    m_killDeadline = Instant::max();
    m_host = std::make_unique<NodeScheduler>(m_world.m_scheduler, *m_clock);
    m_host->setPaused(m_pauses > 0);
    m_store = std::make_unique<VirtualStore>(m_world.m_server, *m_host);
    m_store->setReachable(m_partitions == 0);
    const QString run = m_name + QString::number(++m_runs);
    FleetNodeOptions options;
    options.node = m_nodeId;
    options.run = run;
    options.previousRun = std::exchange(m_previousRun, run);
    m_node = std::make_unique<FleetNode>(*m_store, *m_host, *this, options);
    for (const QString &agent : std::as_const(m_world.m_agents)) {
        m_copies.try_emplace(agent, *this, agent);
        m_node->add(agent, {});
    }
    QObject::connect(m_node.get(), &FleetNode::ended, m_node.get(), [this] {
        m_world.note(m_name + u": host is shut down");
        if (std::ranges::any_of(m_copies, [](auto &each) { return each.second.isAlive(); }))
            m_world.violate(QStringLiteral("a node ends after its agents"));
    });
    m_node->start();
    m_world.note(m_name + u": host starts");
}

void FleetWorld::Machine::stopHost()
{
    m_node.reset();
    m_copies.clear();
    m_store.reset();
    m_host.reset();
}

void FleetWorld::Machine::pause(Duration time)
{
    m_world.note(m_name + u": paused for " + durationToString(time));
    ++m_pauses;
    m_host->setPaused(true);
    m_world.later(time, [this] {
        if (--m_pauses > 0 || m_hostIsDead)
            return;
        m_world.note(m_name + u": continues");
        if (m_world.uniform() < 0.5)
            m_store->resumed();
        m_host->setPaused(false);
    });
}

void FleetWorld::Machine::partition(Duration time)
{
    m_world.note(m_name + u": partitioned for " + durationToString(time));
    ++m_partitions;
    m_store->setReachable(false);
    m_world.later(time, [this] {
        if (--m_partitions > 0)
            return;
        m_world.note(m_name + u": reachable");
        m_store->setReachable(true);
    });
}

// The guard kills the processes of a dead host.
void FleetWorld::Machine::killHost(Duration time)
{
    if (std::exchange(m_hostIsDead, true))
        return;
    m_world.note(m_name + u": host killed for " + durationToString(time));
    m_host->setPaused(true);
    for (auto &[agent, copy] : m_copies)
        copy.killWithin(m_world.between(0, 0.1));
    m_world.later(time, [this] { restartHost(); });
}

void FleetWorld::Machine::reboot(Duration time)
{
    if (std::exchange(m_hostIsDead, true))
        return;
    m_world.note(m_name + u": machine down for " + durationToString(time));
    m_host->setPaused(true);
    for (auto &[agent, copy] : m_copies)
        copy.kill();
    m_world.later(time, [this] {
        shutDown();
        boot();
    });
}

void FleetWorld::Machine::exhaust(const QString &agent, Duration time)
{
    if (m_hostIsDead || m_pauses > 0 || !m_node->permits(agent))
        return;
    const bool isRemoved = m_world.uniform() < 0.5;
    m_world.note(m_name + (isRemoved ? u": removed: " : u": exhausted: ") + agent);
    stop(agent);
    m_copies.at(agent).kill();
    if (isRemoved)
        m_node->remove(agent);
    else
        m_node->withdraw(agent);
    m_world.later(time, [this, agent] {
        if (!m_hostIsDead)
            m_node->add(agent, {});
    });
}

void FleetWorld::Machine::shutDownHost(Duration time)
{
    if (std::exchange(m_hostIsDead, true))
        return;
    m_world.note(m_name + u": host shuts down for " + durationToString(time));
    m_node->shutDown();
    m_world.later(time, [this] { restartHost(); });
}

void FleetWorld::Machine::restartHost()
{
    for (auto &[agent, copy] : m_copies) // by the guard
        copy.kill();
    stopHost();
    startHost();
}

void FleetWorld::Machine::drain(Duration time)
{
    if (m_hostIsDead || m_pauses > 0)
        return;
    m_world.note(m_name + u": drained for " + durationToString(time));
    m_node->setDraining(true);
    m_world.later(time, [this] {
        m_world.note(m_name + u": drain ends");
        if (!m_hostIsDead)
            m_node->setDraining(false);
    });
}

FleetWorld::FleetWorld(Options options)
    : m_options(options)
    , m_random(options.seed)
    , m_scheduler(m_clock)
    , m_server(m_scheduler, m_random())
{
    VirtualStoreFaults faults;
    faults.mostDelay = between(0.002, uniform() < 0.3 ? 1 : 0.02);
    faults.lost = uniform() < 0.5 ? 0 : 0.1 * uniform();
    faults.late = uniform() < 0.3 ? 0 : 0.2 * uniform();
    faults.latest = between(1, 40);
    m_server.setFaults(faults);
    m_server.setObserver([this](const FleetTransaction &transaction) { checkWrite(transaction); });
    const int agents = 1 + static_cast<int>(uniform() * 4);
    for (int i = 0; i < agents; ++i)
        m_agents.append(QStringLiteral("agent%1").arg(i));
    const int machines = 2 + static_cast<int>(uniform() * 4);
    const bool sameId = machines > 2 && uniform() < 0.1;
    for (int i = 0; i < machines; ++i) {
        const QString name(QChar(u'a' + i));
        m_machines.push_back(
            std::make_unique<Machine>(*this, name, sameId && i == 1 ? QStringLiteral("a") : name));
    }
}

FleetWorld::~FleetWorld()
{
    m_machines.clear(); // they count their copies
}

double FleetWorld::uniform() { return static_cast<double>(m_random() >> 11U) * 0x1p-53; }

Duration FleetWorld::between(double least, double most)
{
    return std::chrono::round<Duration>(
        std::chrono::duration<double>(least + (most - least) * uniform()));
}

qint64 FleetWorld::randomRate()
{
    if (uniform() < 0.2)
        return 1000;
    return 1000 + (uniform() < 0.5 ? 1 : -1) * m_options.rateDeviation;
}

void FleetWorld::note(const QString &text)
{
    if (m_options.trace)
        m_trace.append(QStringLiteral("%1 %2")
                           .arg(toMilliseconds(m_clock.now().time_since_epoch()) / 1000, 9, 'f', 3)
                           .arg(text));
}

void FleetWorld::violate(const QString &rule)
{
    note(u"VIOLATED: " + rule);
    if (m_violation.isEmpty())
        m_violation = rule;
}

void FleetWorld::began(const QString &agent, const QString &node, qint64 token)
{
    note(node + u": begins " + agent + u" token " + QString::number(token));
    ++m_starts;
    AgentState &state = m_states[agent];
    state.changed = m_clock.now();
    if (++state.copies > 1)
        violate(QStringLiteral("two copies of an agent never overlap"));
    if (std::exchange(state.token, token) > token)
        violate(QStringLiteral("a later copy never has a smaller token"));
}

void FleetWorld::ended(const QString &agent, const QString &node)
{
    note(node + u": ends " + agent);
    AgentState &state = m_states[agent];
    --state.copies;
    state.changed = m_clock.now();
}

void FleetWorld::checkWrite(const FleetTransaction &transaction)
{
    for (const auto &[key, value] : transaction.writes) {
        if (!m_healed && key.startsWith("renewals/") && value && uniform() < 0.005)
            partitionOwner(key); // it does not receive the response
        if (m_options.trace
            && (key.startsWith("state/agents/") || !value
                || m_server.read(key).records.front().createRevision == m_server.revision()))
            note(u"store: " + QString::number(m_server.revision()) + u' ' + QString::fromUtf8(key)
                 + u' ' + QString::fromUtf8(value.value_or("deleted")));
        if (!key.startsWith("state/agents/"))
            continue;
        const FleetOwnership owner = *fleetOwnershipFromJson(*value).value;
        const FleetReadResult found = m_server.read(fleetNodeKey(owner.node));
        if (found.records.empty()
            || fleetSessionFromJson(found.records.front().value).value->run != owner.run)
            violate(QStringLiteral("an agent is written only in a session of its writer"));
    }
}

void FleetWorld::partitionOwner(const QByteArray &key)
{
    for (const auto &machine : m_machines) {
        if (machine->renewalKey() == key)
            machine->partition(timeOfFault(5, 45));
    }
}

void FleetWorld::later(Duration delay, std::function<void()> action)
{
    const quint64 id = ++m_lastAction;
    m_actions
        .try_emplace(id, m_scheduler,
                     [this, id, action = std::move(action)] {
                         m_actions.erase(id);
                         action();
                     })
        .first->second.armIn(delay);
}

void FleetWorld::scheduleFault()
{
    later(between(0, 40.0 / static_cast<double>(m_machines.size())), [this] {
        if (m_healed)
            return;
        fault();
        scheduleFault();
    });
}

// They last until the end of the faults at the longest.
Duration FleetWorld::timeOfFault(double least, double most)
{
    return std::min(between(least, most), Instant(faultTime) - m_clock.now());
}

void FleetWorld::fault()
{
    const auto time = [this](double least, double most) { return timeOfFault(least, most); };
    Machine &machine = *m_machines[m_random() % m_machines.size()];
    const QString &agent =
        m_agents.at(static_cast<qsizetype>(m_random() % static_cast<quint64>(m_agents.size())));
    switch (m_random() % 12) {
    case 0:
    case 1:
        return machine.partition(time(0.5, 45));
    case 2:
    case 3:
        return machine.pause(time(0.5, 60));
    case 4:
        return machine.killHost(time(0.2, 30));
    case 5:
        return machine.reboot(time(5, 40));
    case 6:
        return machine.loseWatches();
    case 7:
        return machine.exhaust(agent, time(1, 20));
    case 8:
        return machine.drain(time(3, 30));
    case 9:
        return machine.shutDownHost(time(0.2, 30));
    case 10:
        note(machine.name() + u": moves " + agent);
        static_cast<void>(machine.move(agent, *m_machines[m_random() % m_machines.size()]));
        return;
    default:
        return faultOfStore();
    }
}

void FleetWorld::faultOfStore()
{
    if (uniform() < 0.5) {
        m_server.compact();
        for (const QString &agent : std::as_const(m_agents)) {
            for (const auto &machine : m_machines)
                machine->crash(agent);
        }
        return;
    }
    m_server.setAvailable(false);
    note(QStringLiteral("store: unavailable"));
    later(between(0.5, 15), [this] {
        note(QStringLiteral("store: available"));
        m_server.setAvailable(true);
    });
}

bool FleetWorld::areAllUp() const
{
    return std::ranges::all_of(m_agents, [this](const QString &agent) {
        const auto found = m_states.find(agent);
        return found != m_states.end() && found->second.copies == 1;
    });
}

void FleetWorld::recover()
{
    m_healed = true;
    note(QStringLiteral("no more faults"));
    m_server.setFaults({});
    const Instant from = m_clock.now();
    Instant upSince = Instant::max();
    while (m_clock.now() < from + recoveryTime && m_violation.isEmpty()) {
        m_scheduler.advance(250ms);
        if (!areAllUp())
            upSince = Instant::max();
        else if (upSince == Instant::max())
            upSince = m_clock.now();
    }
    if (upSince == Instant::max())
        violate(QStringLiteral("all agents run again"));
    m_recovery = upSince - from;
}

FleetWorld::Machine &FleetWorld::holder() const
{
    return **std::ranges::find_if(
        m_machines, [this](const auto &each) { return each->isAlive(m_agents.front()); });
}

void FleetWorld::drain()
{
    Machine &machine = holder();
    note(machine.name() + u": drained");
    machine.setDraining(true);
    checkHandover(machine);
    machine.setDraining(false);
}

void FleetWorld::move()
{
    Machine &machine = holder();
    const auto target = std::ranges::find_if(m_machines, [&machine](const auto &each) {
        return each.get() != &machine && each->isHeld();
    });
    note(machine.name() + u": moves " + m_agents.front() + u" to " + (*target)->name());
    if (!machine.move(m_agents.front(), **target))
        violate(QStringLiteral("a running agent can be moved"));
    checkHandover(machine);
    if (&holder() != target->get())
        violate(QStringLiteral("an agent is moved to the named node"));
}

void FleetWorld::shutDown()
{
    Machine &machine = holder();
    machine.shutDownHost(handoverTime * 2);
    checkHandover(machine);
}

void FleetWorld::checkHandover(const Machine &from)
{
    std::map<QString, Duration> gaps;
    constexpr Duration step = 50ms;
    for (Duration passed{0}; passed < handoverTime && m_violation.isEmpty(); passed += step) {
        m_scheduler.advance(step);
        for (const QString &agent : std::as_const(m_agents)) {
            if (m_states.at(agent).copies == 0)
                gaps[agent] += step;
        }
    }
    for (const auto &[agent, gap] : gaps)
        m_longestGap = std::max(m_longestGap, gap);
    if (m_longestGap > longestHandover)
        violate(QStringLiteral("a handover takes at most the stop sequence and 1 s"));
    if (!areAllUp() || from.isAlive(m_agents.front()))
        violate(QStringLiteral("a node hands over its agents"));
}

QString FleetWorld::play()
{
    scheduleFault();
    while (m_clock.now() < Instant(faultTime) && m_violation.isEmpty())
        m_scheduler.advance(1s);
    // Faults that end with the fault time.
    m_scheduler.advance(1ms);
    if (m_violation.isEmpty())
        recover();
    for (const auto step : {&FleetWorld::drain, &FleetWorld::move, &FleetWorld::shutDown}) {
        if (m_violation.isEmpty())
            (this->*step)();
    }
    return m_violation;
}

} // namespace Rekindle

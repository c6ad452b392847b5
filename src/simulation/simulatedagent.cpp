// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "simulatedagent_p.h"

#include "simulatedprobe_p.h"

#include <rekindle/process/exitverdict.h>
#include <rekindle/process/probekind.h>

#include <QRegularExpression>

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

// Otherwise an agent that is restarted at once could fail without end at the same time.
constexpr Duration shortestLife = std::chrono::milliseconds(1);

} // namespace

SimulatedAgent::SimulatedAgent(AgentDefinition definition, FailureModel model, CounterRandom random,
                               Scheduler &scheduler)
    : m_definition(std::move(definition))
    , m_model(std::move(model))
    , m_scheduler(scheduler)
    , m_random(random)
    , m_ready(scheduler, [this] { becomeReady(); })
    , m_exit(scheduler, [this] { exitByModel(); })
    , m_loss(scheduler, [this] { (void)failWithoutEndpoint(); })
    , m_report(scheduler, [this] { report(); })
{
}

void SimulatedAgent::repeat(const RecordedLives &lives, std::size_t position)
{
    m_lives = &lives;
    m_nextLife = position;
}

void SimulatedAgent::resume(std::size_t reports)
{
    m_life = &m_lives->at(m_nextLife - 1);
    m_launchedAt = m_life->launchedAt;
    m_nextReport = reports;
    m_isAlive = true;
    armReport();
}

void SimulatedAgent::start()
{
    if (std::exchange(m_isAlive, true)) {
        Q_EMIT startedTwice();
        return;
    }
    m_life = m_lives ? m_lives->take(m_nextLife) : nullptr;
    if (m_life) {
        m_launchedAt = m_scheduler.now();
        m_nextReport = 0;
        armReport();
        return;
    }
    const Duration time = timeToReady();
    Q_EMIT started();
    if (m_isAlive)
        m_ready.armIn(time);
}

// Each start draws once, so that the sequence does not depend on the readiness.
Duration SimulatedAgent::timeToReady()
{
    const double draw = 2 * m_random.next() - 1;
    const Duration drawn = m_model.ready
        + std::chrono::round<Duration>(std::chrono::duration<double, std::nano>(
            draw * static_cast<double>(m_model.readySpread.count())));
    const Duration delay = std::exchange(m_startDelay, Duration{0});
    const Readiness &readiness = m_definition.process.readiness;
    const bool isProcess = m_definition.kind == AgentDefinition::Kind::Process;
    if (isProcess && readiness.kind == Readiness::Kind::Now)
        return delay;
    if (isProcess && readiness.kind == Readiness::Kind::Alive)
        return delay + readiness.aliveFor;
    return delay + drawn;
}

void SimulatedAgent::loseEndpoint()
{
    if (!m_isAlive || m_isHanging)
        return;
    const std::chrono::duration<double> delay(m_random.next());
    m_loss.armIn(std::chrono::round<Duration>(delay));
}

// Returns whether an endpoint that it requires is down.
bool SimulatedAgent::failWithoutEndpoint()
{
    if (!m_endpoints)
        return false;
    for (const QString &each : m_definition.requiredBreakers) {
        if (!m_endpoints->isDown(each))
            continue;
        end();
        Q_EMIT failed(FailureReason::DependencyFailure,
                      {.message = each + QLatin1String(" is down"), .dependency = each});
        return true;
    }
    return false;
}

void SimulatedAgent::becomeReady()
{
    if (failWithoutEndpoint())
        return;
    if (m_model.life) {
        const Duration life =
            m_model.isExponential ? m_random.exponential(*m_model.life) : *m_model.life;
        m_exit.armIn(std::max(life, shortestLife));
    }
    Q_EMIT ready();
}

// At the age of the recorded process.
void SimulatedAgent::armReport()
{
    if (m_nextReport == m_life->reports.size())
        return;
    const JournalEntry &next = m_life->reports[m_nextReport];
    const Duration age = next.time - m_life->launchedAt;
    m_report.arm(m_launchedAt + (isEnd(next.input) && age == Duration{0} ? shortestLife : age));
}

void SimulatedAgent::report()
{
    const JournalEntry &entry = m_life->reports[m_nextReport++];
    if (isEnd(entry.input))
        end();
    else
        armReport();
    m_recordedDraw = entry.draw;
    emitReport(entry);
    m_recordedDraw.reset();
}

void SimulatedAgent::emitReport(const JournalEntry &entry)
{
    const Failure failure{entry.reason.value_or(FailureReason::Unknown),
                          {.exitCode = entry.exitCode, .permanent = entry.permanent}};
    switch (entry.input) {
    case InputKind::Started:
        Q_EMIT started();
        break;
    case InputKind::ExtendStart:
        Q_EMIT startExtended(entry.extension);
        break;
    case InputKind::Ready:
        Q_EMIT ready();
        break;
    case InputKind::Failed:
        Q_EMIT failed(failure.reason, failure.detail);
        break;
    case InputKind::Exited:
        Q_EMIT stopped();
        break;
    case InputKind::RequestRestart:
    case InputKind::ExitedForRestart:
        Q_EMIT restartRequested(QStringLiteral("recorded"));
        break;
    case InputKind::Unhealthy:
        Q_EMIT unhealthy(failure);
        break;
    default: // no report
        break;
    }
}

void SimulatedAgent::exitByModel()
{
    double draw = m_random.next();
    const FailureModel::End *end = nullptr;
    for (const FailureModel::End &each : m_model.ends) {
        end = &each;
        draw -= each.probability;
        if (draw < 0)
            break;
    }
    if (end)
        (void)exit(end->exitCode, end->signal);
}

bool SimulatedAgent::exit(std::optional<int> code, std::optional<int> signal)
{
    if (!m_isAlive)
        return false;
    end();
    const ExitStatus status = code ? ExitStatus{ExitStatus::Kind::Exited, *code}
                                   : ExitStatus{ExitStatus::Kind::Killed, signal.value_or(0)};
    const ExitVerdict verdict = ExitVerdict::of(status, false, m_definition.process.exitCodes);
    switch (verdict.kind) {
    case ExitVerdict::Kind::Stopped:
        Q_EMIT stopped();
        break;
    case ExitVerdict::Kind::RestartRequested:
        Q_EMIT restartRequested(QStringLiteral("exit code %1").arg(status.number));
        break;
    case ExitVerdict::Kind::Failed:
        Q_EMIT failed(verdict.failure.reason, verdict.failure.detail);
        break;
    }
    return true;
}

// The process of a simulation exits at once.
void SimulatedAgent::stop()
{
    if (!m_isAlive)
        return;
    end();
    Q_EMIT stopped();
}

void SimulatedAgent::hang()
{
    if (!m_isAlive)
        return;
    m_isHanging = true;
    m_ready.disarm();
    m_exit.disarm();
    m_loss.disarm();
}

void SimulatedAgent::writeLine(const QString &text)
{
    const Readiness &readiness = m_definition.process.readiness;
    if (m_definition.kind != AgentDefinition::Kind::Process
        || readiness.kind != Readiness::Kind::Line || !m_ready.isArmed()
        || !QRegularExpression(readiness.pattern).match(text).hasMatch())
        return;
    m_ready.disarm();
    becomeReady();
}

void SimulatedAgent::end()
{
    m_isAlive = m_isHanging = false;
    m_ready.disarm();
    m_exit.disarm();
    m_loss.disarm();
    m_report.disarm();
}

bool SimulatedAgent::setProbed(bool probed)
{
    return (m_isAlive || !probed) && std::exchange(m_isProbed, probed) != probed;
}

std::vector<HealthCheck> SimulatedAgent::ownHealthChecks()
{
    std::vector<HealthCheck> checks;
    if (!m_isProbed)
        return checks;
    const auto answer = [this] {
        return m_isHanging ? std::nullopt : std::optional(m_scheduler.now() >= m_unhealthyUntil);
    };
    for (const HealthProbeDefinition &each : m_definition.process.health)
        checks.push_back(
            {each.kind->name, each.schedule, std::make_unique<SimulatedProbe>(answer)});
    return checks;
}

} // namespace Rekindle

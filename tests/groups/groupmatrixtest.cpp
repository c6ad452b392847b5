// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "groupscene.h"
#include "lifecycle/internal/evaluatorport.h"
#include "testprogram.h"
#include "testrow.h"

#include <algorithm>
#include <array>

using namespace Rekindle;

// What a group starts and stops after one end of one of its three members: all combinations of
// strategy, end, position of the member, phase of the group and budget, against a reference.
//
// Every combination has a meaning, but these are not obvious:
// - A running agent has no launch failure and no start timeout. In the phases Running and
//   SiblingsStopping, such a member was absent and is started by an operator; so it is in the phase
//   SiblingsStarting if the group does not start it again.
// - With oneForOne, a failure stops no sibling: in the phase SiblingsStopping the group is stopped.
//   In the phase SiblingsStarting, the sibling that failed starts again in the running group.
// - The last member is stopped first: in the phase SiblingsStopping it ends so during its own stop.
//   "Hung" and "timeout" then mean that it ignores the stop and is killed.
// - A member that waits for its start has no process: in the phase Waiting, the start for which it
//   waits ends so, before it is ready.
// - The budget has no effect on an end that is not counted; the rows show it.

namespace {

enum class End { Exit0, Exit42, Crash, Signal, LaunchFailure, Timeout, Hung, DependencyFailure };
enum class Phase { Running, SiblingsStopping, SiblingsStarting, Waiting };

constexpr std::array<EnumName<End>, 8> ends = {{
    {End::Exit0, QLatin1String("exit 0")},
    {End::Exit42, QLatin1String("exit 42")},
    {End::Crash, QLatin1String("crash")},
    {End::Signal, QLatin1String("signal")},
    {End::LaunchFailure, QLatin1String("launch failure")},
    {End::Timeout, QLatin1String("timeout")},
    {End::Hung, QLatin1String("hung")},
    {End::DependencyFailure, QLatin1String("DependencyFailure")},
}};

constexpr std::array<EnumName<Phase>, 4> phases = {{
    {Phase::Running, QLatin1String("running")},
    {Phase::SiblingsStopping, QLatin1String("siblings stopping")},
    {Phase::SiblingsStarting, QLatin1String("siblings starting")},
    {Phase::Waiting, QLatin1String("waiting")},
}};

constexpr std::size_t memberCount = 3;
const std::array<QString, memberCount> memberNames = {QStringLiteral("a"), QStringLiteral("b"),
                                                      QStringLiteral("c")};
const std::array<QString, memberCount> positions = {
    QStringLiteral("first"), QStringLiteral("middle"), QStringLiteral("last")};

struct Case
{
    GroupStrategy strategy{};
    End end{};
    std::size_t member = 0; ///< that ends
    Phase phase{};
    bool budgetIsUsedUp = false;

    [[nodiscard]] bool isLast() const { return member == memberCount - 1; }
    [[nodiscard]] bool endsAtStart() const
    {
        return end == End::LaunchFailure || end == End::Timeout;
    }
    /// The supervisor kills the process, which has not exited by itself.
    [[nodiscard]] bool isKilled() const { return end == End::Timeout || end == End::Hung; }
    [[nodiscard]] bool isCounted() const { return end != End::Exit0 && end != End::Exit42; }
    /// The member whose failure leads to the phase.
    [[nodiscard]] std::size_t cause() const
    {
        if (phase == Phase::Waiting)
            return member;
        return member == 0 ? 1 : 0;
    }
    /// The third one.
    [[nodiscard]] std::size_t other() const { return memberCount - member - cause(); }
    /// The first member that restarts when this one fails; oneForOne: only this one does.
    [[nodiscard]] std::size_t firstFor(std::size_t failed) const
    {
        return strategy == GroupStrategy::OneForAll ? 0 : failed;
    }
    /// Whether the member restarts because of the failure that leads to the phase.
    [[nodiscard]] bool isAffected() const
    {
        return strategy != GroupStrategy::OneForOne && member >= firstFor(cause());
    }
    [[nodiscard]] bool isStartedLate() const
    {
        return endsAtStart()
            && (phase == Phase::Running || phase == Phase::SiblingsStopping
                || (phase == Phase::SiblingsStarting && !isAffected()));
    }
    /// The group is stopped.
    [[nodiscard]] bool isStop() const
    {
        return phase == Phase::SiblingsStopping && strategy == GroupStrategy::OneForOne;
    }
};

} // namespace

Q_DECLARE_METATYPE(Case)

namespace {

/// The order of starts and stops that the design requires.
class Reference
{
public:
    explicit Reference(const Case &theCase)
        : c(theCase)
    {
        for (std::size_t i = 0; i < memberCount; ++i) {
            if (!(i == c.member && c.isStartedLate()))
                start(i);
        }
        switch (c.phase) {
        case Phase::Running:
            inRunning();
            break;
        case Phase::SiblingsStopping:
            inSiblingsStopping();
            break;
        case Phase::SiblingsStarting:
            if (c.strategy == GroupStrategy::OneForOne)
                besideStart();
            else
                inSiblingsStarting();
            break;
        case Phase::Waiting:
            inWaiting();
            break;
        }
    }

    QStringList log;
    int incidents = 0;
    GroupState state = GroupState::Running;

private:
    void write(std::size_t member, const char *word)
    {
        log.append(memberNames.at(member) + u'.' + QLatin1String(word));
    }
    void start(std::size_t member)
    {
        write(member, "START");
        runs.at(member) = true;
    }
    void startFrom(std::size_t first)
    {
        for (std::size_t i = first; i < memberCount; ++i) {
            if (!runs.at(i))
                start(i);
        }
    }
    void stopFrom(std::size_t first)
    {
        for (std::size_t i = memberCount; i-- > first;) {
            if (std::exchange(runs.at(i), false))
                write(i, "STOP");
        }
    }
    /// The failure that leads to the phase.
    void failCause()
    {
        ++incidents;
        runs.at(c.cause()) = false;
    }
    void endMember()
    {
        if (c.isKilled())
            write(c.member, "KILL");
        runs.at(c.member) = false;
    }
    /// The end of the member as an incident of its own.
    void incident()
    {
        endMember();
        if (c.isCounted()) {
            ++incidents;
            if (c.budgetIsUsedUp) {
                stopFrom(0);
                state = GroupState::Exhausted;
                return;
            }
        }
        if (c.strategy == GroupStrategy::OneForOne) {
            start(c.member);
            return;
        }
        stopFrom(c.firstFor(c.member));
        startFrom(c.firstFor(c.member));
    }

    void inRunning()
    {
        if (c.end == End::Exit0)
            return;
        if (!c.isStartedLate()) {
            incident();
            return;
        }
        start(c.member);
        endMember();
        start(c.member); // its own policy retries it
    }

    void inSiblingsStopping()
    {
        if (c.isStartedLate())
            start(c.member);
        const std::size_t first = c.isStop() ? 0 : c.firstFor(c.cause());
        if (!c.isStop())
            failCause();
        if (c.isLast()) {
            write(c.member, "STOP");
            if (c.isKilled())
                write(c.member, "KILL");
            runs.at(c.member) = false;
        } else {
            stopFrom(memberCount - 1); // the sibling that takes its time
            if (!c.isStop() && !c.isAffected()) {
                endUnaffected();
                return;
            }
            endMember();
        }
        stopFrom(first);
        if (c.isStop())
            state = GroupState::Stopped;
        else
            startFrom(first);
    }

    /// The member precedes those that are being stopped.
    void endUnaffected()
    {
        if (c.end == End::Exit0) {
            startFrom(c.cause());
        } else if (c.isStartedLate()) {
            endMember();
            startFrom(0);
        } else {
            incident();
        }
    }

    /// oneForOne: a sibling is starting.
    void besideStart()
    {
        failCause();
        start(c.cause());
        if (c.isStartedLate()) {
            start(c.member);
            endMember();
            start(c.member);
        } else if (c.end != End::Exit0) {
            incident();
        }
    }

    void inSiblingsStarting()
    {
        failCause();
        stopFrom(c.firstFor(c.cause()));
        // The member starts, or is started by an operator; then the sibling that takes its time.
        for (std::size_t i = c.firstFor(c.cause()); c.isAffected() && i <= c.member; ++i)
            start(i);
        if (!c.isAffected())
            start(c.cause());
        if (c.isStartedLate())
            start(c.member);
        else if (c.isAffected() && !c.endsAtStart() && !c.isLast())
            start(c.member + 1);
        if (c.end != End::Exit0) {
            incident();
            return;
        }
        for (std::size_t i = c.member + 1; i < memberCount; ++i) {
            if (!runs.at(i))
                start(i);
        }
    }

    void inWaiting()
    {
        failCause();
        const bool isAlone = c.strategy == GroupStrategy::OneForOne;
        const std::size_t first = c.firstFor(c.member);
        if (!isAlone)
            stopFrom(first);
        for (std::size_t i = isAlone ? c.member : first; i <= c.member; ++i)
            start(i);
        if (c.end == End::Exit0) {
            startFrom(c.member + 1);
        } else if (isAlone) { // a failed attempt belongs to the incident
            endMember();
            start(c.member);
        } else {
            incident();
        }
    }

    const Case c;
    std::array<bool, memberCount> runs{};
};

/// Plays the case with the engine.
class Play
{
public:
    explicit Play(const Case &theCase)
        : c(theCase)
        , scene({}, definition())
    {
        for (std::size_t i = 0; i < memberCount; ++i) {
            scene.add(memberNames.at(i), script(i),
                      i == c.member && c.end == End::Timeout
                          ? QStringLiteral("'startTimeout':'%1ms'").arg(startTimeout())
                          : QStringLiteral("'maxRetries':10"));
        }
        QStringList starts;
        for (std::size_t i = 0; i < memberCount; ++i) {
            if (!(i == c.member && c.isStartedLate()))
                starts.append(QStringLiteral("start:") + memberNames.at(i));
        }
        scene.stage.play(starts.join(u'&'));
        playPhase();
        scene.stage.play(QStringLiteral("+1m"));
    }

    [[nodiscard]] QStringList orders() const
    {
        QStringList words = scene.log().split(u' ');
        words.removeIf([](const QString &word) {
            return !word.endsWith(QLatin1String(".START")) && !word.endsWith(QLatin1String(".STOP"))
                && !word.endsWith(QLatin1String(".KILL"));
        });
        return words;
    }
    [[nodiscard]] int incidents() const
    {
        const QStringList words = scene.log().split(u' ');
        return static_cast<int>(std::count_if(words.begin(), words.end(), [](const QString &word) {
            return word.startsWith(QLatin1String("g!"))
                || word.startsWith(QLatin1String("g.EXHAUSTED"));
        }));
    }
    [[nodiscard]] QString log() const { return scene.log(); }
    [[nodiscard]] GroupState state() const
    {
        return scene.groups.state(QStringLiteral("g")).value();
    }

private:
    [[nodiscard]] QString definition() const
    {
        const bool hasEarlierIncident = c.phase != Phase::Running && !c.isStop();
        return QStringLiteral("%1 %2/1h g:a,b,c")
            .arg(toText(c.strategy))
            .arg(!c.budgetIsUsedUp ? 5 : static_cast<int>(hasEarlierIncident));
    }

    [[nodiscard]] int startTimeout() const
    {
        switch (c.phase) {
        case Phase::SiblingsStopping:
            return c.isLast() ? 60'000 : 1'500;
        case Phase::SiblingsStarting:
            return c.isAffected() ? 1'000 : 500;
        case Phase::Running:
        case Phase::Waiting:
            break;
        }
        return 1'000;
    }

    /// The words of the end. The test causes Hung, and the start timeout causes Timeout.
    [[nodiscard]] QString endWords() const
    {
        switch (c.end) {
        case End::Exit0:
            return QStringLiteral("stopped");
        case End::Exit42:
            return QStringLiteral("exit42");
        case End::Crash:
            return QStringLiteral("fail:1");
        case End::Signal:
            return QStringLiteral("fail:ProcessCrash");
        case End::LaunchFailure:
            return QStringLiteral("fail:InitializationFailed");
        case End::DependencyFailure:
            return QStringLiteral("fail:DependencyFailure");
        case End::Timeout:
        case End::Hung:
            break;
        }
        return QStringLiteral("+1h");
    }

    /// A start that ends so before the agent is ready.
    [[nodiscard]] QString failedStart(int milliseconds) const
    {
        const QString begin = c.end == End::LaunchFailure ? QString() : QStringLiteral("started ");
        return begin + QStringLiteral("+%1ms ").arg(milliseconds) + endWords();
    }

    [[nodiscard]] QString runOfMember() const
    {
        const QString ready = QStringLiteral("started ready");
        switch (c.phase) {
        case Phase::Running:
            return (c.isStartedLate() ? failedStart(500)
                                      : ready + QStringLiteral(" +3s ") + endWords())
                + u'|' + ready;
        case Phase::SiblingsStopping:
            if (c.isLast())
                return (c.isStartedLate() ? QStringLiteral("started") : ready) + u'|' + ready;
            return (c.isStartedLate() ? failedStart(1'500)
                                      : ready + QStringLiteral(" +4s ") + endWords())
                + u'|' + ready;
        case Phase::SiblingsStarting:
            if (c.isStartedLate())
                return failedStart(500) + u'|' + ready;
            if (!c.isAffected())
                return ready + QStringLiteral(" +5s ") + endWords() + u'|' + ready;
            return ready + u'|'
                + (c.endsAtStart() || c.isLast() ? failedStart(1'000)
                                                 : ready + QStringLiteral(" +1s ") + endWords())
                + u'|' + ready;
        case Phase::Waiting:
            break;
        }
        return ready + QStringLiteral(" +3s fail|") + failedStart(1'000) + u'|' + ready;
    }

    [[nodiscard]] AgentScript script(std::size_t member) const
    {
        if (member == c.member) {
            AgentScript script{.runs = runOfMember(), .onKill = QStringLiteral("+1s stopped")};
            if (c.phase == Phase::SiblingsStopping && c.isLast())
                script.onStop = c.isKilled() ? QString() : QStringLiteral("+1s ") + endWords();
            return script;
        }
        const QString ready = QStringLiteral("started ready");
        const QString slow = QStringLiteral("started +3s ready|") + ready;
        const bool isCause = member == c.cause();
        switch (c.phase) {
        case Phase::SiblingsStopping:
            if (isCause && !c.isStop())
                return {.runs = ready + QStringLiteral(" +3s fail|") + ready};
            return {.runs = ready, .onStop = QStringLiteral("+3s stopped")};
        case Phase::SiblingsStarting:
            if (isCause)
                return {.runs = ready + QStringLiteral(" +3s fail|")
                            + (c.member == 0 || !c.isAffected() ? slow : ready)};
            return {.runs = ready + u'|' + slow};
        case Phase::Running:
        case Phase::Waiting:
            break;
        }
        return {};
    }

    void playPhase()
    {
        switch (c.phase) {
        case Phase::Running:
            playMember(QStringLiteral("+3s"), QStringLiteral("+0s"));
            return;
        case Phase::SiblingsStopping:
            scene.stage.play(QStringLiteral("+2500ms"));
            if (c.isStartedLate())
                scene.stage.play(QStringLiteral("start:") + memberNames.at(c.member));
            scene.stage.play(QStringLiteral("+500ms"));
            if (c.isStop())
                scene.groups.stop(QStringLiteral("g"));
            if (!c.isLast())
                playMember({}, QStringLiteral("+1s"));
            return;
        case Phase::SiblingsStarting:
            playMember(QStringLiteral("+4500ms"), QStringLiteral("+500ms"));
            return;
        case Phase::Waiting:
            playMember({}, QStringLiteral("+5s"));
            return;
        }
    }

    void playMember(const QString &before, const QString &after)
    {
        scene.stage.play(before);
        if (c.isStartedLate() && c.phase != Phase::SiblingsStopping)
            scene.stage.play(QStringLiteral("start:") + memberNames.at(c.member));
        scene.stage.play(after);
        if (c.end != End::Hung)
            return;
        const QUuid id = scene.stage.supervisor.idOf(memberNames.at(c.member));
        RestartPolicyEvaluator &evaluator = scene.stage.supervisor.policyEvaluator();
        EvaluatorPort(evaluator).reportUnhealthy(id, evaluator.status(id)->generation,
                                                 {.reason = FailureReason::HealthCheckFailed});
    }

    const Case c;
    GroupScene scene;
};

} // namespace

class GroupMatrixTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void startsAndStopsInOrder_data();
    void startsAndStopsInOrder();
};

void GroupMatrixTest::startsAndStopsInOrder_data()
{
    const Rows<Case> row("row");
    int rows = 0;
    for (const auto &strategy : groupStrategies) {
        for (const auto &end : ends) {
            for (std::size_t member = 0; member < memberCount; ++member) {
                for (const auto &phase : phases) {
                    for (const bool isUsedUp : {false, true}) {
                        const QString name =
                            QStringLiteral("%1, %2, %3, %4, budget %5")
                                .arg(strategy.name, end.name, positions.at(member), phase.name,
                                     isUsedUp ? QStringLiteral("used up") : QStringLiteral("left"));
                        row(qPrintable(name),
                            Case{strategy.value, end.value, member, phase.value, isUsedUp});
                        ++rows;
                    }
                }
            }
        }
    }
    QCOMPARE(rows, 576);
}

void GroupMatrixTest::startsAndStopsInOrder()
{
    QFETCH(Case, row);
    const Reference reference(row);
    const Play play(row);
    const QByteArray log = play.log().toUtf8();
    QVERIFY2(play.orders() == reference.log,
             qPrintable(QStringLiteral("expected %1\nfound    %2\nlog      %3")
                            .arg(reference.log.join(u' '), play.orders().join(u' '), play.log())));
    QVERIFY2(play.incidents() == reference.incidents, log.constData());
    QCOMPARE(play.state(), reference.state);
}

REKINDLE_TEST(GroupMatrixTest)
#include "groupmatrixtest.moc"

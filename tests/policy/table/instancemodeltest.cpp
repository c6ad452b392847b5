// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "properties.h"
#include "randominputs.h"
#include "testprogram.h"

#include <set>

using namespace Rekindle;

namespace {

// One number is one step of a trace, so that a trace shrinks to the steps that matter.
using Trace = std::vector<std::uint32_t>;

// Empty, or the violated rule and the steps to it.
QString play(std::uint32_t policy, const Trace &trace)
{
    InstanceChecker checker(randomPolicy(policy));
    checker.apply(InputKind::Start);
    checker.apply(InputKind::Launch);
    QStringList steps;
    for (std::size_t i = 0; i < trace.size() && checker.fault().isEmpty(); ++i) {
        const InstanceState before = checker.instance().state;
        applyRandomInput(checker, trace[i]);
        if (checker.instance().breaker.state() == CircuitBreakerState::HalfOpen)
            checker.checkThatHalfOpenEnds();
        if (!checker.fault().isEmpty())
            steps << toText(before) << describeRandomInput(trace[i])
                  << toText(checker.instance().state);
    }
    if (checker.fault().isEmpty())
        checker.stopAndCheck();
    if (checker.fault().isEmpty())
        return {};
    return checker.fault() + QLatin1String(" <- ") + steps.join(u' ');
}

// Plays the same random inputs in every run.
InstanceChecker::Cells playAll()
{
    InstanceChecker::Cells reached;
    for (std::uint32_t run = 0; run < 2000; ++run) {
        const InstanceChecker checker = playRandomInputs(run);
        if (!checker.fault().isEmpty())
            qFatal("%s", qPrintable(checker.fault()));
        for (const auto &[cell, states] : checker.reached())
            reached[cell].insert(states.begin(), states.end());
    }
    return reached;
}

// "Waiting --> Starting: Launch, ..." in both diagrams of the page.
struct Edge
{
    QString from;
    QString to;
    QStringList inputs;
};

std::vector<Edge> drawnEdges()
{
    QFile page(QStringLiteral(ARCHITECTURE_PAGE));
    if (!page.open(QIODevice::ReadOnly))
        qFatal("cannot open %s", ARCHITECTURE_PAGE);
    const QString text = QString::fromUtf8(page.readAll());
    static const QRegularExpression line(QStringLiteral("(\\w+) --> (\\w+): ([\\w, ]+)\\n"));
    std::vector<Edge> edges;
    for (const QRegularExpressionMatch &match : line.globalMatch(text))
        edges.push_back(
            {match.captured(1), match.captured(2), match.captured(3).split(QStringLiteral(", "))});
    return edges;
}

// In the order of InputKind.
const QStringList inputNames =
    QStringLiteral(
        "Start Stop Restart ResetBreaker IsolateBreaker ReleaseBreaker ChangePolicy "
        "Launch Started ExtendStart Ready Failed Unhealthy Exited ExitedForRestart RequestRestart "
        "Deadline Verdict Success Resume GroupStop GiveUp Refund AddHolds LiftHolds")
        .split(u' ');

QString missing(const std::set<QString> &from, const std::set<QString> &lines)
{
    QStringList found;
    std::set_difference(lines.begin(), lines.end(), from.begin(), from.end(),
                        std::back_inserter(found));
    return found.join(QStringLiteral(", "));
}

bool isDecision(InstanceState state)
{
    using enum InstanceState;
    return isOneOf(state, {Waiting, CircuitOpen, Evaluating, Exhausted, Failed, Gated});
}

} // namespace

class InstanceModelTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rulesHoldInEveryTrace();
    void everyStateAndInputIsReached();
    void diagramShowsEveryStateChange();
};

void InstanceModelTest::rulesHoldInEveryTrace()
{
    verifyProperty("the rules of the state machine hold after every input", 20000, [] {
        const auto number = rc::gen::resize(100, rc::gen::inRange(0U, 1U << 31));
        const std::uint32_t policy = *number;
        const Trace trace = *rc::gen::resize(200, rc::gen::container<Trace>(number));
        const QString fault = play(policy, trace);
        if (!fault.isEmpty())
            RC_FAIL(fault.toStdString());
    });
}

// The property above checks only the cells that its traces reach, so that all must be reached.
void InstanceModelTest::everyStateAndInputIsReached()
{
    const InstanceChecker::Cells reached = playAll();
    QCOMPARE(reached.size(), std::size_t{instanceStateCount * inputKindCount});
}

void InstanceModelTest::diagramShowsEveryStateChange()
{
    std::set<QString> drawnChanges; // with the input
    std::set<QString> drawnArrows;
    for (const Edge &edge : drawnEdges()) {
        drawnArrows.insert(edge.from + QStringLiteral(" --> ") + edge.to);
        for (const QString &input : edge.inputs)
            drawnChanges.insert(edge.from + u' ' + input + u' ' + edge.to);
    }
    std::set<QString> changes;
    std::set<QString> arrows;
    for (const auto &[cell, states] : playAll()) {
        const QString from = toText(cell.first);
        const QString input = u' ' + inputNames[static_cast<int>(cell.second)] + u' ';
        for (const InstanceState state : states) {
            if (state == cell.first)
                continue;
            QString to = toText(state);
            if (isDecision(state) && drawnChanges.count(from + input + to) == 0)
                to = QStringLiteral("Decision");
            changes.insert(from + input + to);
            arrows.insert(from + QStringLiteral(" --> ") + to);
        }
    }
    QCOMPARE(missing(drawnChanges, changes), QString());
    QCOMPARE(missing(arrows, drawnArrows), QString());
}

REKINDLE_TEST(InstanceModelTest)
#include "instancemodeltest.moc"

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/simulation/simulationtrace.h>

#include "base/signalname_p.h"
#include "json/jsonobjectreader.h"
#include "json/jsonparser.h"

#include <algorithm>
#include <array>

namespace Rekindle {

namespace {

using Kind = SimulationStep::Kind;

constexpr qsizetype mostSteps = 100'000;

struct Action
{
    Kind kind = Kind::Exit;
    OperatorCommand command = OperatorCommand::Start; ///< of Operator
};

// Actions of an operator have the names of the commands for a running host.
constexpr std::array<EnumName<Action>, 12> actions = {{
    {{Kind::Exit}, QLatin1String("exit")},
    {{Kind::Signal}, QLatin1String("signal")},
    {{Kind::Hang}, QLatin1String("hang")},
    {{Kind::Unhealthy}, QLatin1String("unhealthy")},
    {{Kind::Slow}, QLatin1String("slow")},
    {{Kind::Line}, QLatin1String("line")},
    {{Kind::Operator, OperatorCommand::Start}, QLatin1String("start")},
    {{Kind::Operator, OperatorCommand::Stop}, QLatin1String("stop")},
    {{Kind::Operator, OperatorCommand::Restart}, QLatin1String("restart")},
    {{Kind::Operator, OperatorCommand::ResetBreaker}, QLatin1String("reset")},
    {{Kind::Operator, OperatorCommand::IsolateBreaker}, QLatin1String("isolate")},
    {{Kind::Operator, OperatorCommand::ReleaseBreaker}, QLatin1String("release")},
}};

void readSignal(JsonObjectReader &reader, int &signal)
{
    const auto place = reader.required("signal");
    const auto number = place ? signalNumber(place->text().value_or(QString())) : std::nullopt;
    signal = number.value_or(0);
    if (place && !number)
        place->mismatch("a signal such as \"SIGKILL\"");
}

// Returns false if the action is not known, so that its other keys are not known either.
bool readAction(JsonObjectReader &reader, SimulationStep &step)
{
    if (const auto name = reader.required("do")) {
        const auto action = name->choice(actions);
        if (!action)
            return false;
        step.kind = action->kind;
        step.command = action->command;
    }
    if (step.kind == Kind::Exit)
        reader.readRequired("code", step.number, 0, 255);
    else if (step.kind == Kind::Signal)
        readSignal(reader, step.number);
    else if (step.kind == Kind::Unhealthy || step.kind == Kind::Slow)
        reader.readRequired(step.kind == Kind::Slow ? "by" : "for", step.time);
    else if (const auto text = step.kind == Kind::Line ? reader.required("text") : std::nullopt)
        step.text = text->text().value_or(QString());
    return true;
}

SimulationStep readStep(const JsonPlace &place)
{
    constexpr std::array<EnumName<Kind>, 1> outages = {{{Kind::Down, QLatin1String("down")}}};
    constexpr std::array<EnumName<Kind>, 2> nodeOutages = {
        {{Kind::Partition, QLatin1String("partition")}, {Kind::Crash, QLatin1String("crash")}}};
    SimulationStep step;
    JsonObjectReader reader(place);
    const auto readName = [&](const char *key, QString &name) {
        const auto found = reader.member(key);
        if (found)
            step.column = found->node().position.column;
        if (found)
            found->to(name);
        return found.has_value();
    };
    reader.readRequired("at", step.at);
    if (readName("shared", step.shared)) {
        step.kind = Kind::Down;
        reader.readRequired("do", step.kind, outages);
        reader.readRequired("for", step.time);
    } else if (readName("node", step.node)) {
        reader.readRequired("do", step.kind, nodeOutages);
        reader.readRequired("for", step.time);
    } else if (readName("reload", step.file)) {
        step.kind = Kind::Reload;
    } else {
        (void)reader.required("agent");
        readName("agent", step.agent);
        if (!readAction(reader, step))
            return step;
    }
    reader.finish();
    return step;
}

} // namespace

Parsed<QList<SimulationStep>> parseSimulationTrace(const QByteArray &lines)
{
    JsonFaults faults;
    QList<SimulationStep> steps;
    int number = 0;
    for (qsizetype begin = 0; begin < lines.size();) {
        const qsizetype found = lines.indexOf('\n', begin);
        const qsizetype end = found < 0 ? lines.size() : found;
        const QByteArray line = lines.mid(begin, end - begin);
        begin = end + 1;
        ++number;
        if (line.trimmed().isEmpty())
            continue;
        if (steps.size() == mostSteps) {
            faults.add(
                {.message = QStringLiteral("expected at most %1 steps, found more").arg(mostSteps)},
                {.line = number, .column = 1});
            break;
        }
        Parsed<SimulationStep> read = readParsed(parseJson(line), readStep);
        for (const Fault &fault : read.faults)
            faults.add(fault, {.line = number, .column = fault.column});
        if (faults.isFull())
            break;
        if (read) {
            read.value->line = number;
            steps.append(*read.value);
        }
    }
    std::stable_sort(steps.begin(), steps.end(),
                     [](const SimulationStep &a, const SimulationStep &b) { return a.at < b.at; });
    return faults.result(std::move(steps));
}

} // namespace Rekindle

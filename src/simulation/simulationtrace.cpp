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

// Those of an operator have the names of the commands for a running host.
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

void readSignal(const JsonPlace &place, SimulationStep &step)
{
    const std::optional<int> number = signalNumber(place.text().value_or(QString()));
    if (!number)
        place.mismatch(QStringLiteral("a signal such as \"SIGKILL\""));
    step.number = number.value_or(0);
}

void readOutage(JsonObjectReader &reader, SimulationStep &step)
{
    constexpr std::array<EnumName<Kind>, 1> outages = {{{Kind::Down, QLatin1String("down")}}};
    if (const auto name = reader.required(QStringLiteral("do")))
        (void)name->choice(outages);
    if (const auto time = reader.required(QStringLiteral("for")))
        step.time = time->duration().value_or(Duration{0});
}

SimulationStep readStep(const JsonPlace &place)
{
    SimulationStep step;
    JsonObjectReader reader(place);
    if (const auto at = reader.required(QStringLiteral("at")))
        step.at = at->duration().value_or(Duration{0});
    if (const auto shared = reader.member(QStringLiteral("shared"))) {
        step.kind = Kind::Down;
        step.shared = shared->textNotEmpty().value_or(QString());
        step.column = shared->node().position.column;
        readOutage(reader, step);
        reader.finish();
        return step;
    }
    if (const auto file = reader.member(QStringLiteral("reload"))) {
        step.kind = Kind::Reload;
        step.file = file->textNotEmpty().value_or(QString());
        step.column = file->node().position.column;
        reader.finish();
        return step;
    }
    if (const auto agent = reader.required(QStringLiteral("agent"))) {
        step.agent = agent->textNotEmpty().value_or(QString());
        step.column = agent->node().position.column;
    }
    if (const auto name = reader.required(QStringLiteral("do"))) {
        const auto action = name->choice(actions);
        if (!action)
            return step;
        step.kind = action->kind;
        step.command = action->command;
    }
    if (step.kind == Kind::Exit) {
        if (const auto code = reader.required(QStringLiteral("code")))
            step.number = code->integer(0, 255).value_or(0);
    } else if (step.kind == Kind::Signal) {
        if (const auto signal = reader.required(QStringLiteral("signal")))
            readSignal(*signal, step);
    } else if (step.kind == Kind::Unhealthy || step.kind == Kind::Slow) {
        const auto time =
            reader.required(step.kind == Kind::Slow ? QStringLiteral("by") : QStringLiteral("for"));
        if (time)
            step.time = time->duration().value_or(Duration{0});
    } else if (step.kind == Kind::Line) {
        if (const auto text = reader.required(QStringLiteral("text")))
            step.text = text->text().value_or(QString());
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

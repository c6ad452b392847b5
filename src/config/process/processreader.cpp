// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "processreader_p.h"

#include "base/signalname_p.h"
#include "config/environment/valuevariables_p.h"
#include "executionreader_p.h"
#include "limitsreader_p.h"
#include "processwarnings_p.h"
#include "json/nearestname.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <csignal>

namespace Rekindle {

namespace {

using namespace std::chrono_literals;

constexpr std::array<EnumName<ProcessDefinition::StandardInput>, 3> inputNames = {{
    {ProcessDefinition::StandardInput::Null, QLatin1String("null")},
    {ProcessDefinition::StandardInput::Inherit, QLatin1String("inherit")},
    {ProcessDefinition::StandardInput::Pipe, QLatin1String("pipe")},
}};

constexpr std::array<EnumName<OutputTarget::Kind>, 3> outputNames = {{
    {OutputTarget::Kind::Inherit, QLatin1String("inherit")},
    {OutputTarget::Kind::Null, QLatin1String("null")},
    {OutputTarget::Kind::Lines, QLatin1String("lines")},
}};

constexpr std::array<EnumName<Readiness::Kind>, 5> readyNames = {{
    {Readiness::Kind::Alive, QLatin1String("alive")},
    {Readiness::Kind::Now, QLatin1String("now")},
    {Readiness::Kind::Line, QLatin1String("line")},
    {Readiness::Kind::Notify, QLatin1String("notify")},
    {Readiness::Kind::Probe, QLatin1String("probe")},
}};

QString resolved(const QDir &folder, const QString &path)
{
    return QDir::cleanPath(folder.absoluteFilePath(path));
}

// Without a limit, the process writes to the file itself.
void readRotation(JsonObjectReader &reader, OutputTarget &target)
{
    constexpr int mostFiles = 1000;
    LogRotation rotation;
    reader.read("maxSize", rotation.maxSize);
    reader.read("maxAge", rotation.maxAge, 1min, 24h * 366);
    reader.read("keep", rotation.keep, 1, mostFiles);
    if (reader.member("maxSize") || reader.member("maxAge"))
        target.rotation = rotation;
    else if (const auto keep = reader.member("keep"))
        keep->faultAtName("expected maxSize or maxAge with it");
}

void readOutput(JsonObjectReader &object, const QString &key, const QDir &folder,
                const ValueVariables &variables, OutputTarget &target)
{
    const std::optional<JsonPlace> place = object.member(key);
    if (!place)
        return;
    if (place->isString()) {
        if (const auto kind = place->choice(outputNames))
            target = {*kind, {}};
        return;
    }
    if (!place->isObject()) {
        place->mismatch(R"("inherit", "null", "lines" or {"file": PATH})");
        return;
    }
    readObject(*place, [&](JsonObjectReader &reader) {
        const auto file = reader.required("file");
        if (const auto path = file ? variables.textNotEmpty(*file) : std::nullopt) {
            target = {OutputTarget::Kind::File, resolved(folder, *path)};
            warnOfOutputFile(*file, target.file);
        }
        readRotation(reader, target);
    });
}

void readPattern(const JsonPlace &place, const ValueVariables &variables, QString &target)
{
    const std::optional<QString> pattern = variables.textNotEmpty(place);
    if (!pattern)
        return;
    const QRegularExpression expression(*pattern);
    if (expression.isValid())
        target = *pattern;
    else
        place.fault(QStringLiteral("expected a regular expression, found %1: %2 at character %3")
                        .arg(ValueVariables::describe(place, *pattern), expression.errorString())
                        .arg(expression.patternErrorOffset() + 1));
}

// Keys of other kinds are unknown.
void readReadinessObject(const JsonPlace &place, const ProbeReader &probes,
                         const ValueVariables &variables, Readiness &target)
{
    JsonObjectReader reader(place);
    const auto kindPlace = reader.required("kind");
    const auto kind = kindPlace ? kindPlace->choice(readyNames) : std::nullopt;
    if (!kind)
        return;
    Readiness readiness;
    readiness.kind = *kind;
    if (kind == Readiness::Kind::Alive)
        reader.read("for", readiness.aliveFor, 1ms, 24h);
    if (kind == Readiness::Kind::Line) {
        if (const auto pattern = reader.required("pattern"))
            readPattern(*pattern, variables, readiness.pattern);
    }
    if (kind == Readiness::Kind::Probe) {
        if (const auto probe = reader.required("probe"))
            readiness.probe = probes.readProbe(*probe, ProbeKind::Use::Readiness, variables);
    }
    reader.finish();
    target = readiness;
}

void readReadiness(JsonObjectReader &object, const ProbeReader &probes,
                   const ValueVariables &variables, Readiness &target)
{
    const std::optional<JsonPlace> place = object.member("ready");
    if (!place)
        return;
    if (place->isObject()) {
        readReadinessObject(*place, probes, variables, target);
        return;
    }
    const auto kind = place->isString() ? valueOf(readyNames, place->node().text) : std::nullopt;
    if (kind && kind != Readiness::Kind::Line && kind != Readiness::Kind::Probe) {
        target = {};
        target.kind = *kind;
        return;
    }
    place->mismatch(R"("alive", "now", "notify", {"kind": "alive", "for": "1s"}, )"
                    R"({"kind": "line", "pattern": ...} or )"
                    R"({"kind": "probe", "probe": {...}})");
}

// "1" to "255", without leading zeros, signs or blanks.
std::optional<int> exitCode(const QString &text)
{
    bool isNumber = false;
    const int code = text.toInt(&isNumber);
    if (!isNumber || QString::number(code) != text || code < 1 || code > 255)
        return {};
    return code;
}

// "DependencyFailure:NAME" names a shared breaker.
std::optional<ExitCodeTable::Meaning> readMeaning(const JsonPlace &place,
                                                  const ExitCodeTable::Meaning &before)
{
    static const QString naming = toText(FailureReason::DependencyFailure) + u':';
    const QString breaker = place.isString() && place.node().text.startsWith(naming)
        ? place.node().text.mid(naming.size())
        : QString();
    if (!breaker.isEmpty())
        return ExitCodeTable::Meaning{.reason = FailureReason::DependencyFailure,
                                      .dependency = breaker};
    QStringList names{QStringLiteral("permanent")};
    for (const auto &reason : failureReasons)
        names.append(reason.name);
    const std::optional<QString> name = place.oneOf(names);
    if (!name)
        return std::nullopt;
    return ExitCodeTable::Meaning{.reason = valueOf(failureReasons, *name).value_or(before.reason),
                                  .permanent = *name == names.front()};
}

void readExitCodes(JsonObjectReader &object, ExitCodeTable &table)
{
    const std::optional<JsonPlace> place = object.member("exitCodes");
    if (!place || !place->wantObject())
        return;
    for (const JsonPlace &row : place->members()) {
        const std::optional<int> code = exitCode(row.node().name);
        if (!code) {
            row.faultAtName(QStringLiteral("expected \"1\" to \"255\", found \"%1\"")
                                .arg(printable(row.node().name)));
        }
        const ExitCodeTable::Meaning before = table.meaning(code.value_or(0));
        if (const auto meaning = readMeaning(row, before); code && meaning)
            table.insert(*code, *meaning);
    }
}

// "; did you mean "SIGUSR1"?" for "USR1", "sigusr1", "SIGUSR-1" or 10.
QString stopSignalHint(const JsonNode &written)
{
    QStringList names;
    for (int number = 1; number < NSIG; ++number) {
        if (isStopSignal(number))
            names.append(signalName(number));
    }
    if (const auto number = written.integer) {
        const bool isSignal = *number > 0 && *number < NSIG;
        return isSignal ? didYouMean(signalName(static_cast<int>(*number)), names) : QString();
    }
    const QString prefix = QStringLiteral("SIG");
    const QString upper = written.text.toUpper();
    return didYouMean(upper.startsWith(prefix) ? upper : prefix + upper, names);
}

void readStopSignal(JsonObjectReader &object, int &signal)
{
    const std::optional<JsonPlace> place = object.member("signal");
    if (!place)
        return;
    const JsonNode &written = place->node();
    const std::optional<int> number = place->isString() ? signalNumber(written.text) : std::nullopt;
    if (number && isStopSignal(*number)) {
        signal = *number;
        return;
    }
    const bool isMistyped = !number && !written.text.isEmpty();
    place->fault(QStringLiteral("expected a signal that asks a process to exit, such as "
                                "\"SIGINT\", found %1%2")
                     .arg(written.describe(), isMistyped ? stopSignalHint(written) : QString()));
}

void readStop(JsonObjectReader &reader, StopSequence &stop)
{
    reader.read("closeStdin", stop.closeStdin, 0s, 1h);
    readStopSignal(reader, stop.signal);
    reader.read("terminate", stop.terminate, 0s, 1h);
    reader.read("kill", stop.kill, 0s, 1h);
}

} // namespace

void readProcessSettings(JsonObjectReader &object, const QDir &folder, const ProbeReader &probes,
                         ProcessDefinition &process)
{
    const ValueVariables variables(folder, process.environment);
    if (const auto place = object.member("workingDirectory")) {
        if (const std::optional<QString> path = variables.textNotEmpty(*place))
            process.workingDirectory = resolved(folder, *path);
    }
    readReadiness(object, probes, variables, process.readiness);
    probes.readHealth(object, ProbeKind::Use::ProcessHealth, variables, process.health);
    object.read("stdin", process.standardInput, inputNames);
    readOutput(object, QStringLiteral("stdout"), folder, variables, process.standardOutput);
    readOutput(object, QStringLiteral("stderr"), folder, variables, process.standardError);
    object.nested("stop", [&](JsonObjectReader &reader) { readStop(reader, process.stop); });
    readExitCodes(object, process.exitCodes);
    readExecution(object, process);
    readLimits(object, process, RecycledBy::Process);
}

void readProgram(JsonObjectReader &object, const QDir &folder, ProcessDefinition &process)
{
    const ValueVariables variables(folder, process.environment);
    if (const auto place = object.required("program")) {
        process.program = variables.textNotEmpty(*place).value_or(QString());
        if (process.program.contains(u'/'))
            process.program = resolved(folder, process.program);
    }
    for (const JsonPlace &item : object.items("arguments"))
        process.arguments.append(variables.text(item).value_or(QString()));
}

} // namespace Rekindle

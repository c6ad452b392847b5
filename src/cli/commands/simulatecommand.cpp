// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/boundedfile_p.h"
#include "cli/options/evaluatoroptions_p.h"
#include "cli/options/licenseoptions_p.h"
#include "cli/output/distinctfiles_p.h"
#include "cli/output/terminal_p.h"
#include "cli/output/texthelpers_p.h"
#include "cli/output/tracefile_p.h"
#include "cli/simulate/simulationtext_p.h"
#include "command_p.h"
#include "json/jsonnode.h"

#include <rekindle/simulation/simulation.h>
#include <rekindle/simulation/simulationexpectation.h>

#include <QDir>
#include <QFileInfo>

#include <algorithm>

namespace Rekindle {

namespace {

constexpr qint64 maxInputSize = qint64{64} * 1024 * 1024;
constexpr quint64 mostSeeds = 1'000'000;
constexpr qint64 greatestWorkLimit = 1'000'000'000'000;
constexpr qsizetype mostReloads = 32; // files that the steps of a trace name

struct Seeds
{
    quint64 first = 1;
    quint64 last = 1;
};

std::optional<Seeds> seedsFrom(const QString &text)
{
    const qsizetype dots = text.indexOf(QLatin1String(".."));
    bool hasFirst = false;
    bool hasLast = false;
    const quint64 first = text.left(dots).toULongLong(&hasFirst);
    const quint64 last = text.mid(dots + 2).toULongLong(&hasLast);
    if (dots < 0 || !hasFirst || !hasLast || last < first || last - first >= mostSeeds)
        return std::nullopt;
    return Seeds{first, last};
}

// Finds a step of the trace that makes the difference: with the steps before it, a simulation meets
// the expectation, and with this step, it does not. Returns its index; nothing if the expectation
// is not met without the trace either. The whole trace must not meet it. Simulates several times.
std::optional<qsizetype> decisiveStep(const Configuration &loaded, const SimulationOptions &options,
                                      const SimulationExpectation &expectation)
{
    SimulationOptions shorter = options;
    shorter.recordsSpans = false;
    const auto isMetWith = [&](qsizetype steps) {
        shorter.trace = options.trace.first(steps);
        // An agent that a later reload adds has no figures.
        const std::optional<double> value = simulate(loaded, shorter).figure(expectation.figure());
        return !value || expectation.isMetBy(*value);
    };
    if (!isMetWith(0))
        return {};
    qsizetype met = 0;
    qsizetype notMet = options.trace.size();
    while (notMet - met > 1) {
        const qsizetype middle = met + (notMet - met) / 2;
        (isMetWith(middle) ? met : notMet) = middle;
    }
    return met;
}

class SimulateCommand final : public Command
{
public:
    void addOptions(CLI::App &command) override
    {
        command.add_option("CONFIG", m_path, "JSON file with the configuration")->required();
        command.add_option("TRACE", m_trace, "File with failures of agents and operator commands");
        addTimeLimit(command, "--for", m_length, "Length of the simulation (default: 24h)");
        CLI::Option *const seed =
            addValue(command, "--seed", "N", "Number that selects the random values (default: 1)",
                     "0 to 18446744073709551615", [this](const QString &text) {
                         bool isNumber = false;
                         m_seed = text.toULongLong(&isNumber);
                         return isNumber;
                     });
        addValue(command, "--seeds", "A..B", "Run once for each seed from A to B",
                 "two seeds such as 1..100",
                 [this](const QString &text) {
                     m_seeds = seedsFrom(text);
                     return m_seeds.has_value();
                 })
            ->excludes(seed);
        addText(command, "--faults", m_model, "Failures to generate, as a file or an object",
                "MODEL");
        addTexts(command, "--expect", m_expected,
                 "Exit with 1 unless this is true for each run; can be repeated", "EXPECTATION");
        addText(command, "--svg", m_svg, "Also draw a timeline of the run into a file", "FILE");
        addText(command, "--perfetto", m_perfetto,
                "Also write the states and failures of the run as a trace for ui.perfetto.dev",
                "FILE");
        command
            .add_option("--limit", m_workLimit,
                        "Maximum number of timers and inputs in a run (default: 2000000)")
            ->check(CLI::Range(qint64{1}, greatestWorkLimit))
            ->type_name("N");
        command.add_flag("--json", m_json, "Print the figures as JSON");
        m_license.addTo(command);
        addEvaluatorOption(command, m_pluginFolders);
    }

    int execute(Messages &messages) override
    {
        for (const auto &[option, path] : {std::pair("--svg", m_svg), {"--perfetto", m_perfetto}}) {
            if (m_seeds && !path.isNull())
                messages.end(
                    ExitCode::usage,
                    QStringLiteral("%1: requires a single run; use --seed instead of --seeds")
                        .arg(QLatin1String(option)));
        }
        if (m_perfetto == QLatin1String("-"))
            messages.end(ExitCode::usage, QStringLiteral("--perfetto: stdout has the figures"));
        readExpectations(messages);
        Parsed<Configuration> parsed = loadForHost(QString::fromStdString(m_path), m_pluginFolders);
        const Configuration &loaded = messages.require(parsed);
        SimulationOptions options;
        QStringList configurations(parsed.file);
        readInputs(loaded, options, configurations, messages);
        checkDrawing(configurations, messages);
        return run(loaded, options, messages);
    }

private:
    void readExpectations(Messages &messages)
    {
        for (const QString &text : std::as_const(m_expected)) {
            const auto expectation = SimulationExpectation::parse(text);
            messages.sayFaults(expectation.faults, QStringLiteral("--expect"));
            if (!expectation)
                throw CommandFailure{ExitCode::usage};
            m_expectations.append({text, *expectation.value});
        }
    }

    void checkDrawing(const QStringList &configurations, Messages &messages) const
    {
        QList<UsedFile> files = filesRead(configurations, QStringLiteral("the configuration"))
            + filesRead({m_trace.empty() ? QString() : QString::fromStdString(m_trace)},
                        QStringLiteral("the trace"));
        if (!m_svg.isNull())
            files.append({m_svg, QStringLiteral("the drawing"), QStringLiteral("--svg"),
                          WrittenFile::Drawing});
        if (!m_perfetto.isNull())
            files.append({m_perfetto, QStringLiteral("the Perfetto trace"),
                          QStringLiteral("--perfetto"), WrittenFile::Trace});
        checkFiles(files, messages);
    }

    void readInputs(const Configuration &loaded, SimulationOptions &options,
                    QStringList &configurations, Messages &messages) const
    {
        options.tier = m_license.tier(messages);
        options.length = m_length.value_or(options.length);
        if (!m_trace.empty())
            options.trace =
                readFrom(QString::fromStdString(m_trace), parseSimulationTrace, messages);
        readReloads(options, configurations, messages);
        const bool isObject = m_model.trimmed().startsWith(u'{');
        if (isObject) {
            Parsed<FailureModels> model = parseFailureModels(m_model.toUtf8());
            model.file = QStringLiteral("--faults");
            options.models = messages.require(model);
        } else if (!m_model.isNull()) {
            options.models = readFrom(m_model, parseFailureModels, messages);
        }
        const QList<Fault> inTrace =
            unknownAgents(loaded, options.trace, options.reloads, options.models)
            + rejectedReloads(loaded, options.trace, options.reloads);
        messages.sayFaults(inTrace, QString::fromStdString(m_trace));
        const QList<Fault> inModel = unknownAgents(loaded, options.models, options.reloads);
        messages.sayFaults(inModel, isObject ? QStringLiteral("--faults") : m_model);
        if (m_model.isNull() && m_trace.empty())
            messages.say(QStringLiteral("warning: without TRACE and --faults, no agent fails"));
        warnOfLateSteps(options, messages);
        if (!inTrace.isEmpty() || !inModel.isEmpty())
            throw CommandFailure{};
    }

    // A trace that is read from /dev/stdin or /dev/fd has no folder of its own.
    [[nodiscard]] QDir folderOfTrace() const
    {
        const QString trace = QString::fromStdString(m_trace);
        return trace.startsWith(QLatin1String("/dev/")) ? QDir::current() : QFileInfo(trace).dir();
    }

    // Paths are relative to the folder of the trace. Adds the files to `configurations`. Reports
    // each invalid file once, with the first step that names it.
    void readReloads(SimulationOptions &options, QStringList &configurations,
                     Messages &messages) const
    {
        const QDir folder = folderOfTrace();
        bool areValid = true;
        for (const SimulationStep &each : std::as_const(options.trace)) {
            if (each.kind != SimulationStep::Kind::Reload || options.reloads.contains(each.file))
                continue;
            if (options.reloads.size() == mostReloads) {
                messages.sayFaults({{.path = QStringLiteral("/reload"),
                                     .message = QStringLiteral("expected at most %1 different "
                                                               "paths, found more")
                                                    .arg(mostReloads),
                                     .line = each.line,
                                     .column = each.column}},
                                   QString::fromStdString(m_trace));
                throw CommandFailure{};
            }
            const Parsed<Configuration> parsed =
                loadForHost(QDir::cleanPath(folder.filePath(each.file)), m_pluginFolders);
            if (!parsed) {
                const Fault fault{.path = QStringLiteral("/reload"),
                                  .message = QStringLiteral("%1 is invalid; its faults follow")
                                                 .arg(printable(each.file)),
                                  .line = each.line,
                                  .column = each.column};
                messages.sayFaults({fault}, QString::fromStdString(m_trace));
                areValid = false;
            }
            messages.sayFaults(parsed.faults, parsed.file);
            options.reloads.insert(each.file, parsed.value.value_or(Configuration()));
            configurations.append(parsed.file);
        }
        if (!areValid)
            throw CommandFailure{};
    }

    void warnOfLateSteps(const SimulationOptions &options, Messages &messages) const
    {
        QStringList lines;
        for (const SimulationStep &each : options.trace) {
            if (each.at > options.length)
                lines.append(QString::number(each.line));
        }
        if (!lines.isEmpty())
            messages.say(QStringLiteral("%1: warning: steps after the end of the simulation (%2) "
                                        "are ignored: %3 %4; set the length with --for")
                             .arg(QString::fromStdString(m_trace), readable(options.length),
                                  QLatin1String(lines.size() == 1 ? "line" : "lines"),
                                  listed(lines)));
    }

    template<typename T>
    [[nodiscard]] static T readFrom(const QString &path, Parsed<T> (*parse)(const QByteArray &),
                                    Messages &messages)
    {
        const BoundedFile file = BoundedFile::readStream(path, maxInputSize);
        if (!file.isRead())
            messages.end(ExitCode::configuration, QStringLiteral("%1: %2").arg(path, file.error));
        Parsed<T> parsed = parse(file.bytes);
        parsed.file = path;
        return messages.require(parsed);
    }

    [[nodiscard]] int run(const Configuration &loaded, SimulationOptions &options,
                          Messages &messages) const
    {
        const Seeds seeds = m_seeds.value_or(Seeds{m_seed, m_seed});
        options.workLimit = m_workLimit;
        options.recordsSpans = !m_seeds && (!m_json || !m_svg.isNull() || !m_perfetto.isNull());
        QList<SimulationResult> results;
        QByteArray json;
        int code = ExitCode::fine;
        for (quint64 i = 0; i <= seeds.last - seeds.first; ++i) {
            options.seed = seeds.first + i;
            SimulationResult result = simulate(loaded, options);
            if (result.length < options.length)
                messages.end(ExitCode::configuration,
                             QStringLiteral("%1: %2; shorten the run (--for), or raise --limit")
                                 .arg(QString::fromStdString(m_path),
                                      exceededWork(result, m_workLimit, options.length)));
            code = std::max(code, check(loaded, options, result, messages));
            if (m_json)
                json += toJson(result);
            results.append(std::move(result));
        }
        if (!m_svg.isNull())
            saveFile(QLatin1String("--svg"), m_svg, WrittenFile::Drawing,
                     simulationSvg(results.front()), messages);
        if (!m_perfetto.isNull()) {
            TraceFile trace(m_perfetto, messages);
            writeTrace(results.front(), trace);
            trace.finish();
        }
        const QByteArray text = m_json ? json
            : m_seeds                  ? simulationsText(results)
                                       : simulationText(results.front(), timelineWidth());
        return std::max(code, print(messages, text));
    }

    // The greatest exit code of the expectations and of the rules of Rekindle.
    [[nodiscard]] int check(const Configuration &loaded, const SimulationOptions &options,
                            const SimulationResult &result, Messages &messages) const
    {
        int code = result.violations.isEmpty() ? ExitCode::fine : ExitCode::defect;
        for (const auto &[text, expectation] : m_expectations) {
            const std::optional<double> value = result.figure(expectation.figure());
            if (!value)
                messages.end(ExitCode::usage,
                             QStringLiteral("--expect: ")
                                 + unknownFigure(result, expectation.figure()));
            if (expectation.isTime() && !SimulationResult::isTime(expectation.figure()))
                messages.end(ExitCode::usage,
                             QStringLiteral("--expect: expected a number without a unit for %1, "
                                            "found \"%2\"")
                                 .arg(expectation.figure(), text));
            if (expectation.isMetBy(*value))
                continue;
            messages.say(QStringLiteral("expected %1, found %2 with seed %3")
                             .arg(text, QString::number(*value, 'g', 8))
                             .arg(result.seed));
            if (!m_seeds && !options.trace.isEmpty())
                reportDecisiveStep(options, decisiveStep(loaded, options, expectation), messages);
            code = std::max(code, int{ExitCode::outputFailed});
        }
        return code;
    }

    void reportDecisiveStep(const SimulationOptions &options, std::optional<qsizetype> index,
                            Messages &messages) const
    {
        if (!index) {
            messages.say(QStringLiteral("the expectation is not met without TRACE either"));
            return;
        }
        const SimulationStep &step = options.trace.at(*index);
        messages.say(QStringLiteral("%1:%2: the expectation is met without this step and those "
                                    "after it (step %3 of %4, after %5)")
                         .arg(QString::fromStdString(m_trace))
                         .arg(step.line)
                         .arg(*index + 1)
                         .arg(options.trace.size())
                         .arg(readable(step.at)));
    }

    [[nodiscard]] static int timelineWidth()
    {
        constexpr int usual = 72;
        constexpr int beside = 20;
        return std::clamp(Terminal::columnsOr(usual + beside) - beside, 20, 200);
    }

    std::string m_path;
    std::string m_trace;
    std::optional<Duration> m_length;
    quint64 m_seed = 1;
    qint64 m_workLimit = 2'000'000;
    std::optional<Seeds> m_seeds;
    QString m_model;
    QStringList m_expected;
    QList<std::pair<QString, SimulationExpectation>> m_expectations;
    QString m_svg;
    QString m_perfetto;
    bool m_json = false;
    LicenseOptions m_license;
    QStringList m_pluginFolders;
};

} // namespace

const CommandRow simulateCommand{
    .name = "simulate",
    .summary = "Run a configuration in virtual time",
    .help =
        R"(Runs the agents of CONFIG in virtual time, with the restart policies, breakers and health checks
of `rekindle up`. No program is executed: starts, exits and probes are simulated.

TRACE is a file with a step on each line, for example:
  {"at": "10m", "agent": "web", "do": "exit", "code": 1}
`do` is exit (with the key code), signal (with signal), unhealthy (with for), slow (with by), line
(with text), hang, or an operator command: start, stop, restart, reset, isolate or release. With
`shared` instead of `agent`, the service that this shared breaker protects is down:
  {"at": "10m", "shared": "api", "do": "down", "for": "5m"}
With `node`, a node of the fleet fails: `do` is partition (from the store) or crash.
  {"at": "10m", "node": "a", "do": "partition", "for": "1m"}
With `reload`, another configuration replaces the current one; its path is relative to the folder of
TRACE: {"at": "10m", "reload": "changed.json"}

TRACE and MODEL can be pipes or /dev/stdin. For a TRACE in /dev, the path of `reload` is relative to
the current folder.

MODEL is a JSON file or object that generates failures, for example:
  {"ready": "2s±1s", "life": "exp 10m", "end": {"1": 0.8, "SIGSEGV": 0.2},
   "outages": [{"shared": "api", "every": "1h", "for": "5m"}],
   "fleet": {"partitions": [{"node": "a", "every": "1h", "for": "1m"}]}}

A configuration with `fleet` is simulated as several nodes. `fleet` of MODEL has the keys nodes,
partitions, storeOutages and crashes.

EXPECTATION compares a figure with a number or a duration: NAME.up (percent), NAME.starts,
NAME.failures, NAME.longestOutage, NAME.breakerOpen, NAME.gaveUp (0 or 1), NAME.moves,
NAME.twoCopies, lowestUp, restarts, restartsPerHour, longestQueue, herdInSecond or herdInTenth. NAME
is an agent. moves and twoCopies are those of a placed agent.
longestQueue is the largest number of starts that waited for the governor at the same time.
herdInSecond and herdInTenth are the largest numbers of restarts within 1 s and within 100 ms.

The same seed gives the same result. --json prints one object for each run, on a line each.
docs/simulation.md (installed in share/doc/rekindle) explains the figures.

Examples:
  rekindle simulate agents.json --faults '{"life": "exp 2h"}' --for 30d
  rekindle simulate agents.json incident.jsonl --svg incident.svg
  rekindle simulate agents.json --faults model.json --seeds 1..100 --expect 'web.up >= 99.5'
)",
    .exitCodes =
        {{0, "success; all expectations are met"},
         {1, "an expectation is not met, or FILE or stdout cannot be written"},
         {64, "usage, or a figure does not exist"},
         {70, "defect: the simulation violated a rule of Rekindle"},
         {78,
          "invalid configuration, trace, model or license key, a run that exceeds --limit, no "
          "state folder\nfor --license, or FILE exists and rekindle did not write it"}},
    .make = makeCommand<SimulateCommand>,
};

} // namespace Rekindle

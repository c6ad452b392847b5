// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "importbuilder_p.h"
#include "importreaders_p.h"
#include "importwords_p.h"
#include "inifile_p.h"
#include "systemdwords_p.h"
#include "json/jsonnode.h"

#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <cmath>

using namespace std::chrono_literals;

namespace Rekindle {

namespace {

constexpr Duration dayLong = 24h;

double unitSeconds(const QString &unit)
{
    static const QHash<QString, double> units{
        {QStringLiteral(""), 1},          {QStringLiteral("us"), 1e-6},
        {QStringLiteral("usec"), 1e-6},   {QStringLiteral("ms"), 1e-3},
        {QStringLiteral("msec"), 1e-3},   {QStringLiteral("s"), 1},
        {QStringLiteral("sec"), 1},       {QStringLiteral("second"), 1},
        {QStringLiteral("seconds"), 1},   {QStringLiteral("m"), 60},
        {QStringLiteral("min"), 60},      {QStringLiteral("minute"), 60},
        {QStringLiteral("minutes"), 60},  {QStringLiteral("h"), 3600},
        {QStringLiteral("hr"), 3600},     {QStringLiteral("hour"), 3600},
        {QStringLiteral("hours"), 3600},  {QStringLiteral("d"), 86400},
        {QStringLiteral("day"), 86400},   {QStringLiteral("days"), 86400},
        {QStringLiteral("w"), 604800},    {QStringLiteral("week"), 604800},
        {QStringLiteral("weeks"), 604800}};
    return units.value(unit);
}

// What to do instead of settings that are not converted, by the beginning of the key.
struct Advice
{
    const char *prefix;
    const char *text; ///< empty: nothing is lost
};
constexpr std::array advices{
    Advice{"ExecStartPre", "run the command in a script before the program"},
    Advice{"ExecStartPost", "run the command by hand, or in a script"},
    Advice{"ExecStop", "the agent is stopped with SIGTERM; handle it in the program"},
    Advice{"ExecReload", "send the signal by hand"},
    Advice{"ExecCondition", "test the condition in a script before the program"},
    Advice{"User", "run `rekindle up` as this user"},
    Advice{"Group", "run `rekindle up` with this group"},
    Advice{"UMask", "set the umask of `rekindle up`"},
    Advice{"Nice", "start the program with nice(1)"},
    Advice{"Limit", "set the limit in the unit of `rekindle up`, or with prlimit(1)"},
    Advice{"After",
           "the agents do not wait for each other; make the program retry, or keep the order in "
           "the unit of `rekindle up`"},
    Advice{"Before",
           "the agents do not wait for each other; keep the order in the unit of `rekindle up`"},
    Advice{"Requires",
           "agents do not depend on each other; keep the dependency in the unit of `rekindle up`"},
    Advice{"Wants",
           "agents do not depend on each other; keep the dependency in the unit of `rekindle up`"},
    Advice{"BindsTo",
           "agents do not depend on each other; keep the dependency in the unit of `rekindle up`"},
    Advice{"PartOf",
           "agents do not depend on each other; keep the dependency in the unit of `rekindle up`"},
    Advice{"Description", ""},
    Advice{"Documentation", ""},
    Advice{"NotifyAccess", ""},
    Advice{"SyslogIdentifier", ""},
    Advice{"PIDFile", ""},
};

QString adviceFor(const QString &key)
{
    for (const Advice &advice : advices) {
        if (key.startsWith(QLatin1String(advice.prefix)))
            return QString::fromUtf8(advice.text);
    }
    return QStringLiteral("set it in the unit of `rekindle up` if it is needed");
}

class SystemdService
{
public:
    SystemdService(const IniFile &file, const QString &fileName, ImportBuilder &builder)
        : m_file(file)
        , m_builder(builder)
        , m_words(QFileInfo(fileName).fileName())
    {
    }

    void read();

private:
    void readCommand();
    void readEnvironment();
    void readStart();
    void readRestarts();
    void readExitCodes();
    void readStop();
    void readOutput(const char *stream, const QString &key);
    void noteOthers();

    [[nodiscard]] const IniFile::Entry *find(const QString &key);
    /// All entries of a list; an empty value removes those before it.
    [[nodiscard]] QList<IniFile::Entry> list(const QString &key);
    [[nodiscard]] QString value(const QString &key, const char *standard = "");
    [[nodiscard]] int line(const QString &key);
    /// Infinity is the greatest duration.
    [[nodiscard]] Duration duration(const QString &key, Duration standard);
    [[nodiscard]] QString expanded(const QString &text, int line);
    [[nodiscard]] QStringList words(const IniFile::Entry &entry);
    void note(const QString &key, const QString &text)
    {
        m_builder.note(line(key), m_agent->name, text);
    }

    const IniFile &m_file;
    ImportBuilder &m_builder;
    SystemdWords m_words;
    ImportedAgent *m_agent = nullptr;
    QSet<QString> m_known;
};

const IniFile::Entry *SystemdService::find(const QString &key)
{
    m_known.insert(key);
    const IniFile::Entry *found = nullptr;
    for (const IniFile::Section &section : m_file.sections) {
        if (const IniFile::Entry *const entry = section.find(key))
            found = entry;
    }
    return found;
}

QList<IniFile::Entry> SystemdService::list(const QString &key)
{
    m_known.insert(key);
    QList<IniFile::Entry> result;
    for (const IniFile::Section &section : m_file.sections) {
        for (const IniFile::Entry &entry : section.entries) {
            if (entry.key == key && entry.value.isEmpty())
                result.clear();
            else if (entry.key == key)
                result.append(entry);
        }
    }
    return result;
}

QString SystemdService::value(const QString &key, const char *standard)
{
    const IniFile::Entry *const entry = find(key);
    return entry != nullptr && !entry->value.isEmpty() ? entry->value : QString::fromUtf8(standard);
}

int SystemdService::line(const QString &key)
{
    const IniFile::Entry *const entry = find(key);
    return entry != nullptr ? entry->line : m_agent->line;
}

Duration SystemdService::duration(const QString &key, Duration standard)
{
    const QString text = value(key);
    if (text.isEmpty())
        return standard;
    if (text == QLatin1String("infinity"))
        return Duration::max();
    const std::optional<Duration> read = durationOf(text, unitSeconds);
    if (!read)
        note(key,
             QStringLiteral("%1: expected a time span, found \"%2\"; using %3")
                 .arg(key, printable(text), formatDuration(standard)));
    return read.value_or(standard);
}

QString SystemdService::expanded(const QString &text, int line)
{
    const SystemdWords::Expanded result = m_words.expand(text);
    for (const QString &unknown : result.unknown)
        m_builder.note(line, m_agent->name,
                       QStringLiteral("specifier %1 is not converted; replace it by hand")
                           .arg(printable(unknown)));
    return result.text;
}

QStringList SystemdService::words(const IniFile::Entry &entry)
{
    const std::optional<QStringList> split = SystemdWords::split(entry.value);
    if (!split)
        m_builder.note(
            entry.line, m_agent->name,
            QStringLiteral("%1 has an unclosed quote or an invalid escape; add it by hand")
                .arg(entry.key));
    return split.value_or(QStringList());
}

void SystemdService::read()
{
    const auto service =
        std::ranges::find(m_file.sections, QStringLiteral("Service"), &IniFile::Section::name);
    if (service == m_file.sections.end())
        return;
    m_agent = &m_builder.add(m_words.agentName(), service->line);
    readCommand();
    readEnvironment();
    if (QString folder = value(QStringLiteral("WorkingDirectory"), "/"); !folder.isEmpty()) {
        if (folder.startsWith(u'-'))
            folder.remove(0, 1);
        m_agent->members["workingDirectory"] = folder == QLatin1String("~")
            ? "${userHome}"
            : expanded(folder, line(QStringLiteral("WorkingDirectory"))).toStdString();
        if (folder.isEmpty())
            m_agent->members["workingDirectory"] = "/";
    }
    readRestarts();
    readStart();
    readExitCodes();
    readStop();
    readOutput("stdout", QStringLiteral("StandardOutput"));
    readOutput("stderr", QStringLiteral("StandardError"));
    if (!m_agent->members.contains("stderr") && m_agent->members.contains("stdout")
        && find(QStringLiteral("StandardError")) == nullptr)
        m_agent->members["stderr"] = Json(m_agent->members["stdout"]); // a copy: the list may move
    noteOthers();
}

void SystemdService::readCommand()
{
    const QList<IniFile::Entry> commands = list(QStringLiteral("ExecStart"));
    if (commands.isEmpty()) {
        note(QStringLiteral("ExecStart"),
             QStringLiteral("ExecStart is missing; add the program by hand"));
        return;
    }
    const IniFile::Entry &command = commands.front();
    if (commands.size() > 1)
        m_builder.note(
            commands[1].line, m_agent->name,
            QStringLiteral("only the first ExecStart is converted; join the commands in a script"));
    QStringList split = words(command);
    if (split.isEmpty())
        return;
    const QString special = QStringLiteral("@-:+!|");
    qsizetype start = 0;
    while (start < split.front().size() && special.contains(split.front()[start]))
        ++start;
    const QString prefixes = split.front().first(start);
    split.front().remove(0, start);
    if (prefixes.contains(u'@') && split.size() > 1) {
        split.removeAt(1);
        m_builder.note(
            command.line, m_agent->name,
            QStringLiteral("prefix @: the program's name cannot be replaced; it is the path"));
    }
    if (prefixes.contains(u'-'))
        m_builder.note(command.line, m_agent->name,
                       QStringLiteral("prefix -: a failure of the program counts as a failure"));
    if (prefixes.contains(u'+') || prefixes.contains(u'!'))
        m_builder.note(
            command.line, m_agent->name,
            QStringLiteral("prefixes + and !: the program has the privileges of `rekindle up`"));
    if (const qsizetype end = split.indexOf(QLatin1String(";")); end >= 0) {
        split = split.first(end);
        m_builder.note(
            command.line, m_agent->name,
            QStringLiteral("commands after \";\" are not converted; join them in a script"));
    }
    QStringList result;
    for (const QString &word : split) {
        const QString text = expanded(word, command.line);
        const bool isProgram = result.isEmpty();
        const SystemdWords::Variables variables = prefixes.contains(u':') || isProgram
            ? SystemdWords::Variables{literal(text), false}
            : SystemdWords::variables(text);
        if (variables.isSplit)
            m_builder.note(command.line, m_agent->name,
                           QStringLiteral("%1 is one argument; systemd splits its value at blanks")
                               .arg(printable(word)));
        result.append(variables.text);
    }
    m_builder.setCommand(*m_agent, command.line, result);
}

void SystemdService::readEnvironment()
{
    for (const IniFile::Entry &entry : list(QStringLiteral("EnvironmentFile"))) {
        const bool isOptional = entry.value.startsWith(u'-');
        const std::string file =
            literal(expanded(entry.value.mid(isOptional ? 1 : 0), entry.line)).toStdString();
        Json item = file;
        if (isOptional)
            item = {{"file", file}, {"optional", true}};
        if (!file.empty())
            m_agent->members["environmentFiles"].push_back(item);
    }
    for (const IniFile::Entry &entry : list(QStringLiteral("Environment"))) {
        for (const QString &word : words(entry)) {
            const qsizetype equals = word.indexOf(u'=');
            m_builder.setVariable(*m_agent, entry.line, word.first(std::max<qsizetype>(equals, 0)),
                                  literal(expanded(word.mid(equals + 1), entry.line)));
        }
    }
    for (const IniFile::Entry &entry : list(QStringLiteral("UnsetEnvironment"))) {
        for (const QString &name : words(entry)) {
            if (isVariableName(name))
                m_agent->members["environment"][name.toStdString()] = nullptr;
        }
    }
    m_known.insert(QStringLiteral("PassEnvironment")); // agents have the environment of rekindle
}

// When the agent is ready, and its watchdog. After readRestarts().
void SystemdService::readStart()
{
    const QString type = value(QStringLiteral("Type"), "simple");
    const bool notifies = type.startsWith(QLatin1String("notify"));
    m_agent->members["ready"] = notifies ? "notify" : "now";
    if (type == QLatin1String("forking"))
        note(QStringLiteral("Type"),
             QStringLiteral("Type=forking: make the program run in the foreground; a program that "
                            "exits counts as stopped"));
    else if (type == QLatin1String("oneshot"))
        note(QStringLiteral("Type"),
             QStringLiteral("Type=oneshot: the agent runs once and is stopped when it exits with "
                            "0; nothing waits for it"));
    else if (type == QLatin1String("dbus"))
        note(QStringLiteral("Type"),
             QStringLiteral("Type=dbus: the agent is ready at once; use \"ready\" with a probe"));
    if (notifies) {
        const Duration standard = duration(QStringLiteral("TimeoutSec"), 90s);
        m_agent->members["policy"]["startTimeout"] = m_builder.limited(
            duration(QStringLiteral("TimeoutStartSec"), standard), 1ms, dayLong, *m_agent,
            line(QStringLiteral("TimeoutStartSec")), QStringLiteral("TimeoutStartSec"));
    }
    if (const Duration watchdog = duration(QStringLiteral("WatchdogSec"), 0s); watchdog > 0s) {
        m_agent->members["health"].push_back(
            {{"kind", "heartbeat"},
             {"interval",
              m_builder.limited(watchdog, 10ms, dayLong, *m_agent,
                                line(QStringLiteral("WatchdogSec")),
                                QStringLiteral("WatchdogSec"))},
             {"timeout", "1ms"},
             {"misses", 1},
             {"lastChance", "1ms"}});
    }
}

void SystemdService::readRestarts()
{
    Json &policy = m_agent->members["policy"]; // valid until another member is added
    const QString restart = value(QStringLiteral("Restart"), "no");
    const Duration delay = duration(QStringLiteral("RestartSec"), 100ms);
    const Duration most = duration(QStringLiteral("RestartMaxDelaySec"), 0s);
    const int steps = value(QStringLiteral("RestartSteps")).toInt();
    const Duration interval = duration(QStringLiteral("StartLimitIntervalSec"),
                                       duration(QStringLiteral("StartLimitInterval"), 10s));
    const int burst = value(QStringLiteral("StartLimitBurst"), "5").toInt();
    if (restart == QLatin1String("no")) {
        policy = {{"type", "none"}};
        return;
    }
    const int restartLine = line(QStringLiteral("RestartSec"));
    const std::string first =
        m_builder.limited(delay, 0s, dayLong, *m_agent, restartLine, QStringLiteral("RestartSec"));
    if (steps > 0 && most > delay && delay > 0s) {
        const double factor = std::pow(double(most.count()) / double(delay.count()), 1.0 / steps);
        policy = {{"type", "exponential"},
                  {"initialDelay", first},
                  {"multiplier", std::clamp(factor, 1.0, 100.0)},
                  {"maxDelay",
                   m_builder.limited(most, std::min(delay, dayLong), 7 * dayLong, *m_agent,
                                     restartLine, QStringLiteral("RestartMaxDelaySec"))}};
    } else {
        policy = {{"type", "stepped"}, {"steps", {first}}};
    }
    policy["maxRetries"] = "unlimited";
    const int limitLine = line(QStringLiteral("StartLimitBurst"));
    if (interval > 0s && burst > 1 && burst <= 10'001)
        policy["window"] = {{"restarts", burst - 1},
                            {"period",
                             m_builder.limited(interval, 1ms, 7 * dayLong, *m_agent, limitLine,
                                               QStringLiteral("StartLimitIntervalSec"))}};
    else if (interval > 0s && burst != 0)
        m_builder.note(
            limitLine, m_agent->name,
            QStringLiteral(
                "StartLimitBurst is not converted; expected 2 to 10001; set \"window\" by hand"));
    if (restart == QLatin1String("always") || restart == QLatin1String("on-success"))
        policy["restartOn"] = "always";
    if (restart != QLatin1String("always") && restart != QLatin1String("on-failure"))
        note(
            QStringLiteral("Restart"),
            QStringLiteral("Restart=%1: the agent is restarted after every failure%2")
                .arg(printable(restart),
                     restart == QLatin1String("on-success") ? QStringLiteral(", too") : QString()));
    policy["jitter"] = {{"kind", "none"}};
    policy["stableAfter"] =
        formatDuration(std::clamp<Duration>(interval, 1ms, dayLong)).toStdString();
    policy["circuitBreaker"] = "off";
    policy["permanent"] = Json::array();
}

void SystemdService::readExitCodes()
{
    const QString prevented = value(QStringLiteral("RestartPreventExitStatus"));
    for (const QString &code :
         prevented.split(QRegularExpression(QStringLiteral("\\s+")), Qt::SkipEmptyParts)) {
        const int number = code.toInt();
        if (number >= 1 && number <= 255 && number != 42)
            m_agent->members["exitCodes"][std::to_string(number)] = "permanent";
        else
            note(QStringLiteral("RestartPreventExitStatus"),
                 QStringLiteral("RestartPreventExitStatus=%1 is not converted; only codes from 1 "
                                "to 255 are, except 42")
                     .arg(printable(code)));
    }
    if (m_agent->members.contains("exitCodes"))
        note(QStringLiteral("RestartPreventExitStatus"),
             QStringLiteral("RestartPreventExitStatus: the codes prevent a restart only until the "
                            "agent has been ready"));
}

void SystemdService::readStop()
{
    const Duration timeout =
        duration(QStringLiteral("TimeoutStopSec"), duration(QStringLiteral("TimeoutSec"), 90s));
    m_agent->members["stop"]["terminate"] = m_builder.limited(
        timeout, 0s, 1h, *m_agent,
        line(find(QStringLiteral("TimeoutStopSec")) != nullptr ? QStringLiteral("TimeoutStopSec")
                                                               : QStringLiteral("TimeoutSec")),
        QStringLiteral("TimeoutStopSec"));
    const QString signal = value(QStringLiteral("KillSignal"), "SIGTERM");
    if (signal == QLatin1String("SIGKILL"))
        m_agent->members["stop"]["terminate"] = "0s";
    else if (signal != QLatin1String("SIGTERM"))
        note(QStringLiteral("KillSignal"),
             QStringLiteral(
                 "KillSignal=%1: SIGTERM is sent instead; handle it in the program or in a wrapper")
                 .arg(printable(signal)));
    const QString mode = value(QStringLiteral("KillMode"), "control-group");
    if (mode != QLatin1String("control-group"))
        note(QStringLiteral("KillMode"),
             QStringLiteral("KillMode=%1: signals are sent to the whole process group")
                 .arg(printable(mode)));
}

void SystemdService::readOutput(const char *stream, const QString &key)
{
    const QString target = value(key, "inherit");
    const QString path = target.section(u':', 1);
    if (target == QLatin1String("null"))
        m_agent->members[stream] = "null";
    else if ((target.startsWith(QLatin1String("append:"))
              || target.startsWith(QLatin1String("file:"))
              || target.startsWith(QLatin1String("truncate:")))
             && !path.isEmpty()) {
        m_agent->members[stream]["file"] = literal(expanded(path, line(key))).toStdString();
        if (!target.startsWith(QLatin1String("append:")))
            note(key, QStringLiteral("%1: the output is appended to the file").arg(key));
    } else if (target != QLatin1String("inherit") && !target.startsWith(QLatin1String("journal")))
        note(key,
             QStringLiteral("%1=%2 is not converted; the lines are shown by `rekindle up`")
                 .arg(key, printable(target)));
}

void SystemdService::noteOthers()
{
    for (const IniFile::Section &section : m_file.sections) {
        if (section.name == QLatin1String("Install")
            || section.name.startsWith(QLatin1String("X-")))
            continue;
        for (const IniFile::Entry &entry : section.entries) {
            const QString advice = adviceFor(entry.key);
            if (!m_known.contains(entry.key) && !advice.isEmpty())
                m_builder.note(
                    entry.line, m_agent->name,
                    QStringLiteral("%1 is not converted; %2").arg(printable(entry.key), advice));
        }
    }
}

} // namespace

Imported readSystemd(QByteArrayView text, const QString &fileName)
{
    ImportBuilder builder;
    if (!builder.isText(text))
        return builder.take({});
    const IniFile file = IniFile::read(QString::fromUtf8(text), IniFile::Dialect::Systemd, builder);
    SystemdService(file, fileName, builder).read();
    return builder.take(QStringLiteral("a section [Service] with ExecStart"));
}

} // namespace Rekindle

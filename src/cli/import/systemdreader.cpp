// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "importbuilder_p.h"
#include "importreaders_p.h"
#include "importwords_p.h"
#include "inifile_p.h"
#include "memorysize_p.h"
#include "systemdlimit_p.h"
#include "systemdunit_p.h"
#include "systemdwords_p.h"
#include "json/jsonnode.h"

#include <rekindle/process/resourcelimit.h>

#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

using namespace std::chrono_literals;

namespace Rekindle {

namespace {

constexpr Duration dayLong = 24h;

class SystemdService
{
public:
    SystemdService(const IniFile &file, const QString &fileName, ImportBuilder &builder)
        : m_file(file)
        , m_builder(builder)
        , m_words(QFileInfo(fileName).fileName())
        , m_unit(file, builder)
    {
    }

    void read();

private:
    void readCommand();
    void readEnvironment();
    void readExecution();
    void readStart();
    void readRestarts();
    void readExitCodes();
    void readStop();
    void readOutput(const char *stream, const char *key);

    [[nodiscard]] QString expanded(const QString &text, int line);
    [[nodiscard]] QStringList words(const IniFile::Entry &entry);

    const IniFile &m_file;
    ImportBuilder &m_builder;
    SystemdWords m_words;
    ImportedAgent *m_agent = nullptr;
    SystemdUnit m_unit;
};

QString SystemdService::expanded(const QString &text, int line)
{
    const SystemdWords::Expanded result = m_words.expand(text);
    for (const QString &unknown : result.unknown)
        m_unit.note(line,
                    QStringLiteral("specifier %1 is not converted; replace it by hand")
                        .arg(printable(unknown)));
    return result.text;
}

QStringList SystemdService::words(const IniFile::Entry &entry)
{
    const std::optional<QStringList> split = SystemdWords::split(entry.value);
    if (!split)
        m_unit.note(entry.line,
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
    m_unit.setAgent(*m_agent);
    readCommand();
    readEnvironment();
    if (QString folder = m_unit.value("WorkingDirectory", "/"); !folder.isEmpty()) {
        if (folder.startsWith(u'-')) {
            folder.remove(0, 1);
            m_unit.note("WorkingDirectory",
                        QStringLiteral("prefix -: the folder must exist at every start"));
        }
        m_agent->members["workingDirectory"] = folder == QLatin1String("~")
            ? "${userHome}"
            : expanded(folder, m_unit.line("WorkingDirectory")).toStdString();
        if (folder.isEmpty())
            m_agent->members["workingDirectory"] = "/";
    }
    readExecution();
    readRestarts();
    readStart();
    readExitCodes();
    readStop();
    readOutput("stdout", "StandardOutput");
    readOutput("stderr", "StandardError");
    if (!m_agent->members.contains("stderr") && m_agent->members.contains("stdout")
        && m_unit.find("StandardError") == nullptr)
        m_agent->members["stderr"] = Json(m_agent->members["stdout"]); // a copy: the list may move
    m_unit.noteOthers();
}

void SystemdService::readCommand()
{
    const QList<IniFile::Entry> commands = m_unit.list("ExecStart");
    if (commands.isEmpty()) {
        m_unit.note("ExecStart", QStringLiteral("ExecStart is missing; add the program by hand"));
        return;
    }
    const IniFile::Entry &command = commands.front();
    if (commands.size() > 1)
        m_unit.note(
            commands[1].line,
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
        m_unit.note(
            command.line,
            QStringLiteral("prefix @: the program's name cannot be replaced; it is the path"));
    }
    if (prefixes.contains(u'-'))
        m_unit.note(command.line,
                    QStringLiteral("prefix -: a failure of the program counts as a failure"));
    if (prefixes.contains(u'+') || prefixes.contains(u'!'))
        m_unit.note(
            command.line,
            QStringLiteral("prefixes + and !: the program has the privileges of `rekindle up`"));
    if (const qsizetype end = split.indexOf(QLatin1String(";")); end >= 0) {
        split = split.first(end);
        m_unit.note(
            command.line,
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
            m_unit.note(command.line,
                        QStringLiteral("%1 is one argument; systemd splits its value at blanks")
                            .arg(printable(word)));
        result.append(variables.text);
    }
    m_builder.setCommand(*m_agent, command.line, result);
}

void SystemdService::readEnvironment()
{
    for (const IniFile::Entry &entry : m_unit.list("EnvironmentFile")) {
        const bool isOptional = entry.value.startsWith(u'-');
        const std::string file =
            literal(expanded(entry.value.mid(isOptional ? 1 : 0), entry.line)).toStdString();
        Json item = file;
        if (isOptional)
            item = {{"file", file}, {"optional", true}};
        if (!file.empty())
            m_agent->members["environmentFiles"].push_back(item);
    }
    for (const IniFile::Entry &entry : m_unit.list("Environment")) {
        for (const QString &word : words(entry)) {
            const qsizetype equals = word.indexOf(u'=');
            m_builder.setVariable(*m_agent, entry.line, word.first(std::max<qsizetype>(equals, 0)),
                                  literal(expanded(word.mid(equals + 1), entry.line)));
        }
    }
    for (const IniFile::Entry &entry : m_unit.list("UnsetEnvironment")) {
        for (const QString &name : words(entry)) {
            if (isVariableName(name))
                m_agent->members["environment"][name.toStdString()] = nullptr;
        }
    }
    (void)m_unit.find("PassEnvironment"); // agents have the environment of rekindle
}

void SystemdService::readExecution()
{
    if (const QString user = m_unit.value("User"); !user.isEmpty())
        m_agent->members["user"] = expanded(user, m_unit.line("User")).toStdString();
    if (const QString group = m_unit.value("Group"); !group.isEmpty())
        m_agent->members["group"] = expanded(group, m_unit.line("Group")).toStdString();
    m_builder.setUmask(*m_agent, m_unit.line("UMask"), m_unit.value("UMask"));
    const QString nice = m_unit.value("Nice");
    bool isNumber = false;
    const int niceness = nice.toInt(&isNumber);
    if (isNumber && niceness >= -20 && niceness <= 19)
        m_agent->members["nice"] = niceness;
    else if (!nice.isEmpty())
        m_unit.note("Nice",
                    QStringLiteral("Nice: expected -20 to 19, found \"%1\"; set \"nice\" by hand")
                        .arg(printable(nice)));
    const QString memory = m_unit.value("MemoryMax");
    if (const auto size = memorySize(memory))
        m_agent->members["limits"]["memory"] = *size;
    else if (!memory.isEmpty() && memory != QLatin1String("infinity"))
        m_unit.note("MemoryMax",
                    QStringLiteral("MemoryMax=%1 is not converted; set \"limits\" by hand")
                        .arg(printable(memory)));
    for (const QString &name : ResourceLimit::names()) {
        const QByteArray key = "Limit" + name.toUpper().toLatin1();
        const QString value = m_unit.value(key.constData());
        if (const std::optional<Json> limit = systemdLimit(name, value))
            m_agent->members["limits"]["rlimits"][name.toStdString()] = *limit;
        else if (!value.isEmpty())
            m_unit.note(key.constData(),
                        QStringLiteral("%1=%2 is not converted; set \"limits\" by hand")
                            .arg(QString::fromLatin1(key), printable(value)));
    }
}

// When the agent is ready, and its watchdog. After readRestarts().
void SystemdService::readStart()
{
    const QString type = m_unit.value("Type", "simple");
    const bool notifies = type.startsWith(QLatin1String("notify"));
    m_agent->members["ready"] = notifies ? "notify" : "now";
    if (type == QLatin1String("forking"))
        m_unit.note(
            "Type",
            QStringLiteral("Type=forking: make the program run in the foreground; a program that "
                           "exits counts as stopped"));
    else if (type == QLatin1String("oneshot"))
        m_unit.note(
            "Type",
            QStringLiteral("Type=oneshot: the agent runs once and is stopped when it exits with "
                           "0; nothing waits for it"));
    else if (type == QLatin1String("dbus"))
        m_unit.note(
            "Type",
            QStringLiteral("Type=dbus: the agent is ready at once; use \"ready\" with a probe"));
    if (notifies) {
        const Duration standard = m_unit.duration("TimeoutSec", 90s);
        m_agent->members["policy"]["startTimeout"] =
            m_builder.limited(m_unit.duration("TimeoutStartSec", standard), 1ms, dayLong, *m_agent,
                              m_unit.line("TimeoutStartSec"), QStringLiteral("TimeoutStartSec"));
    }
    if (const Duration watchdog = m_unit.duration("WatchdogSec", 0s); watchdog > 0s) {
        m_agent->members["health"].push_back(
            {{"kind", "heartbeat"},
             {"interval",
              m_builder.limited(watchdog, 10ms, dayLong, *m_agent, m_unit.line("WatchdogSec"),
                                QStringLiteral("WatchdogSec"))},
             {"timeout", "1ms"},
             {"misses", 1},
             {"lastChance", "1ms"}});
    }
}

void SystemdService::readRestarts()
{
    Json &policy = m_agent->members["policy"]; // valid until another member is added
    const QString restart = m_unit.value("Restart", "no");
    const Duration delay = m_unit.duration("RestartSec", 100ms);
    const Duration most = m_unit.duration("RestartMaxDelaySec", 0s);
    const int steps = m_unit.value("RestartSteps").toInt();
    const Duration interval =
        m_unit.duration("StartLimitIntervalSec", m_unit.duration("StartLimitInterval", 10s));
    const int burst = m_unit.value("StartLimitBurst", "5").toInt();
    if (restart == QLatin1String("no")) {
        policy = {{"type", "none"}};
        return;
    }
    const int restartLine = m_unit.line("RestartSec");
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
    const int limitLine = m_unit.line("StartLimitBurst");
    if (interval > 0s && burst > 1 && burst <= 10'001)
        policy["window"] = {{"restarts", burst - 1},
                            {"period",
                             m_builder.limited(interval, 1ms, 7 * dayLong, *m_agent, limitLine,
                                               QStringLiteral("StartLimitIntervalSec"))}};
    else if (interval > 0s && burst != 0)
        m_unit.note(
            limitLine,
            QStringLiteral(
                "StartLimitBurst is not converted; expected 2 to 10001; set \"window\" by hand"));
    if (restart == QLatin1String("always") || restart == QLatin1String("on-success"))
        policy["restartOn"] = "always";
    if (restart != QLatin1String("always") && restart != QLatin1String("on-failure"))
        m_unit.note(
            "Restart",
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
    const QString prevented = m_unit.value("RestartPreventExitStatus");
    for (const QString &code :
         prevented.split(QRegularExpression(QStringLiteral("\\s+")), Qt::SkipEmptyParts)) {
        const int number = code.toInt();
        if (number >= 1 && number <= 255 && number != 42)
            m_agent->members["exitCodes"][std::to_string(number)] = "permanent";
        else
            m_unit.note(
                "RestartPreventExitStatus",
                QStringLiteral("RestartPreventExitStatus=%1 is not converted; only codes from 1 "
                               "to 255 are, except 42")
                    .arg(printable(code)));
    }
    if (m_agent->members.contains("exitCodes"))
        m_unit.note(
            "RestartPreventExitStatus",
            QStringLiteral("RestartPreventExitStatus: the codes prevent a restart only until the "
                           "agent has been ready"));
}

void SystemdService::readStop()
{
    const Duration timeout = m_unit.duration("TimeoutStopSec", m_unit.duration("TimeoutSec", 90s));
    m_agent->members["stop"]["terminate"] = m_builder.limited(
        timeout, 0s, 1h, *m_agent,
        m_unit.line(m_unit.find("TimeoutStopSec") != nullptr ? "TimeoutStopSec" : "TimeoutSec"),
        QStringLiteral("TimeoutStopSec"));
    const QString signal = m_unit.value("KillSignal", "SIGTERM");
    if (signal == QLatin1String("SIGKILL"))
        m_agent->members["stop"]["terminate"] = "0s";
    else if (signal != QLatin1String("SIGTERM"))
        m_unit.note(
            "KillSignal",
            QStringLiteral(
                "KillSignal=%1: SIGTERM is sent instead; handle it in the program or in a wrapper")
                .arg(printable(signal)));
    const QString mode = m_unit.value("KillMode", "control-group");
    if (mode != QLatin1String("control-group"))
        m_unit.note("KillMode",
                    QStringLiteral("KillMode=%1: signals are sent to the whole process group")
                        .arg(printable(mode)));
}

void SystemdService::readOutput(const char *stream, const char *key)
{
    const QString target = m_unit.value(key, "inherit");
    const QString path = target.section(u':', 1);
    if (target == QLatin1String("null"))
        m_agent->members[stream] = "null";
    else if ((target.startsWith(QLatin1String("append:"))
              || target.startsWith(QLatin1String("file:"))
              || target.startsWith(QLatin1String("truncate:")))
             && !path.isEmpty()) {
        m_agent->members[stream]["file"] = literal(expanded(path, m_unit.line(key))).toStdString();
        if (!target.startsWith(QLatin1String("append:")))
            m_unit.note(
                key,
                QStringLiteral("%1: the output is appended to the file").arg(QLatin1String(key)));
    } else if (target != QLatin1String("inherit") && !target.startsWith(QLatin1String("journal")))
        m_unit.note(key,
                    QStringLiteral("%1=%2 is not converted; the lines are shown by `rekindle up`")
                        .arg(QLatin1String(key), printable(target)));
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

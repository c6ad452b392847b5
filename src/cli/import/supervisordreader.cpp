// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "importbuilder_p.h"
#include "importreaders_p.h"
#include "importwords_p.h"
#include "inifile_p.h"
#include "json/jsonnode.h"

#include <QMap>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

using namespace std::chrono_literals;

namespace Rekindle {

namespace {

constexpr int mostProcesses = 1000;

bool isTrue(const QString &value)
{
    return QStringList{QStringLiteral("true"), QStringLiteral("yes"), QStringLiteral("on"),
                       QStringLiteral("1")}
        .contains(value.toLower());
}

using Outputs = std::map<std::string, Json>; // the first output to each file
using Groups = QMap<QString, QString>;       // from a program to its group

// One [program:NAME]. Its settings are those of supervisord 4.
class SupervisordProgram
{
public:
    SupervisordProgram(const IniFile::Section &section, const Groups &groups, Outputs &outputs,
                       ImportBuilder &builder)
        : m_section(section)
        , m_groups(groups)
        , m_outputs(outputs)
        , m_builder(builder)
        , m_name(section.name.mid(section.name.indexOf(u':') + 1).trimmed())
    {
    }

    void read();
    [[nodiscard]] int priority() { return integer("priority", 999, -1'000'000, 1'000'000); }

private:
    void readProcess(int number, int processes);
    void readCommand(ImportedAgent &agent);
    void readEnvironment(ImportedAgent &agent);
    void readRestarts(ImportedAgent &agent);
    void readExitCodes(ImportedAgent &agent, bool always);
    void readStop(ImportedAgent &agent);
    void readOutput(ImportedAgent &agent, const char *stream, const char *key);
    void readRotation(Json &output, const char *key);
    void noteOthers();

    [[nodiscard]] int line(const char *key) const;
    [[nodiscard]] QString value(const char *key, const char *standard = "");
    [[nodiscard]] int integer(const char *key, int standard, int least, int greatest);
    [[nodiscard]] QString expanded(const QString &text, int line);
    void note(const char *key, const QString &text) { m_builder.note(line(key), m_agent, text); }

    const IniFile::Section &m_section;
    const Groups &m_groups;
    Outputs &m_outputs;
    ImportBuilder &m_builder;
    const QString m_name;
    QString m_agent;
    QString m_first; ///< the first process
    int m_number = 0;
    QStringList m_known;
};

int SupervisordProgram::line(const char *key) const
{
    const IniFile::Entry *const entry = m_section.find(QLatin1String(key));
    return entry != nullptr ? entry->line : m_section.line;
}

QString SupervisordProgram::value(const char *key, const char *standard)
{
    m_known.append(QLatin1String(key));
    const IniFile::Entry *const entry = m_section.find(QLatin1String(key));
    return entry != nullptr ? entry->value : QString::fromUtf8(standard);
}

int SupervisordProgram::integer(const char *key, int standard, int least, int greatest)
{
    const QString text = value(key);
    if (text.isEmpty())
        return standard;
    bool isNumber = false;
    const int number = text.toInt(&isNumber);
    if (isNumber && number >= least && number <= greatest)
        return number;
    note(key,
         QStringLiteral("%1: expected %2 to %3, found \"%4\"; using %5")
             .arg(QLatin1String(key))
             .arg(least)
             .arg(greatest)
             .arg(printable(text))
             .arg(standard));
    return standard;
}

// Replaces %(NAME)s, %(NAME)d with a width, and %%. The rest is literal.
QString SupervisordProgram::expanded(const QString &text, int line)
{
    static const QRegularExpression form(
        QStringLiteral("%(?:%|\\(([A-Za-z0-9_]*)\\)(0?)([0-9]{0,2})([sd]))"));
    QString result;
    qsizetype at = 0;
    for (auto matches = form.globalMatch(text); matches.hasNext();) {
        const QRegularExpressionMatch match = matches.next();
        result += literal(text.mid(at, match.capturedStart() - at));
        at = match.capturedEnd();
        const QString name = match.captured(1);
        const QChar fill = match.captured(2).isEmpty() ? u' ' : u'0';
        const int width = match.captured(3).toInt();
        if (match.captured() == QLatin1String("%%"))
            result += u'%';
        else if (name == QLatin1String("process_num"))
            result += QString::number(m_number).rightJustified(width, fill);
        else if (name == QLatin1String("program_name") || name == QLatin1String("group_name"))
            result += literal(m_name);
        else if (name == QLatin1String("numprocs"))
            result += QString::number(integer("numprocs", 1, 1, mostProcesses));
        else if (name == QLatin1String("here"))
            appendVariable(result, QStringLiteral("${workspaceFolder}"));
        else if (name.startsWith(QLatin1String("ENV_")) && isVariableName(name.sliced(4)))
            appendVariable(result, QStringLiteral("${%1}").arg(name.sliced(4)));
        else {
            result += match.captured();
            m_builder.note(
                line, m_agent,
                QStringLiteral("%1 is not converted; replace it by hand").arg(match.captured()));
        }
    }
    return result + literal(text.mid(at));
}

void SupervisordProgram::read()
{
    const int processes = integer("numprocs", 1, 1, mostProcesses);
    const int first = integer("numprocs_start", 0, 0, 1'000'000);
    for (int number = first; number < first + processes; ++number)
        readProcess(number, processes);
    noteOthers();
}

void SupervisordProgram::readProcess(int number, int processes)
{
    m_number = number;
    const bool isNamed = m_section.find(QStringLiteral("process_name")) != nullptr;
    QString name = expanded(value("process_name", "%(program_name)s"), line("process_name"));
    if (processes > 1 && !isNamed)
        name = QStringLiteral("%1_%2").arg(m_name).arg(number, 2, 10, QChar(u'0'));
    ImportedAgent &agent = m_builder.add(name, m_section.line);
    m_agent = agent.name;
    if (m_first.isEmpty())
        m_first = agent.name;
    if (const QString group = m_groups.value(m_name); !group.isEmpty())
        agent.members["tags"].push_back(group.toStdString());
    readCommand(agent);
    readEnvironment(agent);
    if (const QString folder = value("directory"); !folder.isEmpty())
        agent.members["workingDirectory"] = expanded(folder, line("directory")).toStdString();
    if (const QString user = value("user"); !user.isEmpty())
        agent.members["user"] = user.toStdString();
    m_builder.setUmask(agent, line("umask"), value("umask"));
    readRestarts(agent);
    readStop(agent);
    readOutput(agent, "stdout", "stdout_logfile");
    if (!isTrue(value("redirect_stderr", "false")))
        readOutput(agent, "stderr", "stderr_logfile");
    else if (agent.members.contains("stdout"))
        agent.members["stderr"] = Json(agent.members["stdout"]); // a copy: the list may move
}

void SupervisordProgram::readCommand(ImportedAgent &agent)
{
    const std::optional<QStringList> words =
        splitWords(expanded(value("command"), line("command")), WordContent::Variables);
    if (words)
        m_builder.setCommand(agent, line("command"), *words);
    else
        note("command", QStringLiteral("a quote in command is not closed; add the agent by hand"));
}

// KEY="value",KEY2=value
void SupervisordProgram::readEnvironment(ImportedAgent &agent)
{
    static const QRegularExpression variable(QStringLiteral(
        "\\G\\s*([^=,\\s]+)\\s*=\\s*(\"(?:[^\"\\\\]|\\\\.)*\"|'[^']*'|[^,\\s]*)\\s*(?:,|\\z)"));
    const QString text = value("environment");
    qsizetype at = 0;
    for (auto matches = variable.globalMatch(text); matches.hasNext();) {
        const QRegularExpressionMatch match = matches.next();
        at = match.capturedEnd();
        const QStringList words =
            splitWords(expanded(match.captured(2), line("environment")), WordContent::Variables)
                .value_or(QStringList());
        m_builder.setVariable(agent, line("environment"), match.captured(1), words.join(u' '));
    }
    if (!QStringView(text).sliced(at).trimmed().isEmpty())
        note("environment",
             QStringLiteral("expected KEY=\"VALUE\", found \"%1\"; add the variables by hand")
                 .arg(printable(text.sliced(at))));
}

void SupervisordProgram::readRestarts(ImportedAgent &agent)
{
    const QString restart = value("autorestart", "unexpected").toLower();
    const bool isUnexpected = restart == QLatin1String("unexpected");
    const int seconds = integer("startsecs", 1, 0, 86'400);
    const int retries = integer("startretries", 3, -1, 1'000'000);
    const bool isEndless = seconds == 0 || retries == -1;
    if (seconds == 0)
        agent.members["ready"] = "now";
    else
        agent.members["ready"] = {{"kind", "alive"},
                                  {"for", formatDuration(Duration(1s) * seconds).toStdString()}};
    Json policy = {{"type", isEndless ? "immediate" : "linear"}};
    if (!isUnexpected && !isTrue(restart)) {
        policy = {{"type", "none"}};
        if (seconds > 0 && retries != 0)
            note("autorestart",
                 QStringLiteral("a failed start is not retried; supervisord retries it %1")
                     .arg(retries < 0 ? QStringLiteral("without a limit")
                                      : QStringLiteral("%1 times").arg(retries)));
    } else {
        policy["maxRetries"] = isEndless ? Json("unlimited") : Json(retries);
        if (!isEndless) {
            policy["initialDelay"] = "1s";
            policy["maxDelay"] =
                formatDuration(std::clamp<Duration>(Duration(1s) * retries, 1s, 7 * 24h))
                    .toStdString();
        }
        if (!isUnexpected)
            policy["restartOn"] = "always";
        policy["jitter"] = {{"kind", "none"}};
        policy["stableAfter"] = seconds == 0 ? "1ms" : "0s";
        policy["circuitBreaker"] = "off";
        policy["permanent"] = Json::array();
    }
    // An agent that is never ready in time is killed.
    if (seconds >= 30)
        policy["startTimeout"] =
            formatDuration(std::min<Duration>(Duration(1s) * seconds + 30s, 24h)).toStdString();
    agent.members["policy"] = policy;
    readExitCodes(agent, !isUnexpected);
    if (!isTrue(value("autostart", "true")))
        agent.members["start"] = "manual";
}

void SupervisordProgram::readExitCodes(ImportedAgent &agent, bool always)
{
    const QString codes = value("exitcodes", "0");
    const QStringList list = codes.split(u',', Qt::SkipEmptyParts);
    if (always || codes.trimmed() == QLatin1String("0"))
        return;
    if (std::ranges::none_of(
            list, [](const QString &code) { return code.trimmed() == QLatin1String("0"); }))
        agent.members["policy"]["restartOn"] = "always";
    note("exitcodes",
         QStringLiteral("exitcodes=%1: an expected exit after the agent was ready is restarted; "
                        "make the program exit with 0")
             .arg(printable(codes)));
}

void SupervisordProgram::readStop(ImportedAgent &agent)
{
    const QString signal = value("stopsignal", "TERM").toUpper();
    const Duration wait = Duration(1s) * integer("stopwaitsecs", 10, 0, 1'000'000);
    if (signal == QLatin1String("KILL") || signal == QLatin1String("SIGKILL")) {
        agent.members["stop"]["terminate"] = "0s";
        return;
    }
    agent.members["stop"]["terminate"] = m_builder.limited(
        wait, 0s, 1h, agent, line("stopwaitsecs"), QStringLiteral("stopwaitsecs"));
    if (signal != QLatin1String("TERM") && signal != QLatin1String("SIGTERM"))
        note("stopsignal",
             QStringLiteral(
                 "stopsignal=%1: SIGTERM is sent instead; handle it in the program or in a wrapper")
                 .arg(printable(signal)));
}

void SupervisordProgram::readOutput(ImportedAgent &agent, const char *stream, const char *key)
{
    const QString file = value(key, "AUTO");
    const QString upper = file.toUpper();
    if (upper == QLatin1String("NONE")) {
        agent.members[stream] = "null";
    } else if (file.startsWith(QLatin1String("/dev/"))) {
        agent.members[stream] = "inherit";
    } else if (upper == QLatin1String("SYSLOG")) {
        note(key,
             QStringLiteral(
                 "%1=syslog: the lines are shown; send the output of `rekindle up` to syslog")
                 .arg(QLatin1String(key)));
    } else if (!file.isEmpty() && upper != QLatin1String("AUTO")) {
        Json &output = agent.members[stream];
        output["file"] = expanded(file, line(key)).toStdString();
        readRotation(output, key);
        const Json &first =
            m_outputs.try_emplace(output["file"].get<std::string>(), output).first->second;
        if (output == first)
            return;
        output = first;
        note(key,
             QStringLiteral("%1: another output has the same file; its rotation is used for both")
                 .arg(QLatin1String(key)));
    }
}

// supervisord counts in units of 1024 and rotates by default.
void SupervisordProgram::readRotation(Json &output, const char *key)
{
    const QByteArray limit = QByteArray(key).append("_maxbytes");
    const QByteArray backups = QByteArray(key).append("_backups");
    static const QRegularExpression pattern(
        QRegularExpression::anchoredPattern(QStringLiteral("([0-9]+)(?:([KMG])B)?")),
        QRegularExpression::CaseInsensitiveOption);
    const QString size = value(limit.constData(), "50MB");
    const QRegularExpressionMatch match = pattern.match(size);
    if (!match.hasMatch()) {
        note(limit.constData(),
             QStringLiteral("%1: expected a size, found %2; the file is not rotated")
                 .arg(QLatin1String(limit), printable(size)));
        return;
    }
    const double count = match.captured(1).toDouble();
    if (count == 0)
        return;
    const QString unit = match.captured(2).toUpper();
    const double bytes =
        std::ldexp(count, unit.isEmpty() ? 0 : 10 * int(1 + QStringLiteral("KMG").indexOf(unit)));
    const bool isSmall = bytes < 4096;
    const char *const limited = isSmall ? "4KiB" : "1024GiB";
    if (isSmall || bytes > std::ldexp(1, 40)) {
        output["maxSize"] = limited;
        note(limit.constData(),
             QStringLiteral("%1=%2 is outside of 4KiB to 1024GiB; using %3")
                 .arg(QLatin1String(limit), printable(size), QLatin1String(limited)));
    } else {
        output["maxSize"] = QString(QString::number(count, 'f', 0) + unit
                                    + QLatin1String(unit.isEmpty() ? "" : "iB"))
                                .toStdString();
    }
    const int keep = integer(backups.constData(), 10, 0, 1000);
    output["keep"] = std::max(1, keep);
    if (keep == 0)
        note(backups.constData(),
             QStringLiteral("%1=0: one renamed file is kept; Rekindle does not truncate a file")
                 .arg(QLatin1String(backups)));
}

void SupervisordProgram::noteOthers()
{
    m_agent = m_first;
    static const QStringList silent{QStringLiteral("stopasgroup"),
                                    QStringLiteral("killasgroup"),
                                    QStringLiteral("serverurl"),
                                    QStringLiteral("stdout_capture_maxbytes"),
                                    QStringLiteral("stderr_capture_maxbytes"),
                                    QStringLiteral("redirect_stderr"),
                                    QStringLiteral("stderr_logfile"),
                                    QStringLiteral("stdout_logfile_maxbytes"),
                                    QStringLiteral("stdout_logfile_backups"),
                                    QStringLiteral("priority"),
                                    QStringLiteral("stderr_logfile_maxbytes"),
                                    QStringLiteral("stderr_logfile_backups")};
    for (const IniFile::Entry &entry : m_section.entries) {
        if (!m_known.contains(entry.key) && !silent.contains(entry.key))
            m_builder.note(entry.line, m_agent,
                           QStringLiteral("%1 is not converted; Rekindle has no such setting")
                               .arg(printable(entry.key)));
    }
}

void noteSection(const IniFile::Section &section, ImportBuilder &builder)
{
    static const QStringList silent{QStringLiteral("unix_http_server"),
                                    QStringLiteral("inet_http_server"),
                                    QStringLiteral("supervisorctl")};
    if (silent.contains(section.name))
        return;
    if (section.name == QLatin1String("include")) {
        const IniFile::Entry *const files = section.find(QStringLiteral("files"));
        builder.note(
            files != nullptr ? files->line : section.line, {},
            QStringLiteral(
                "files=%1 are not imported; import each file, and list the results in \"include\"")
                .arg(files != nullptr ? printable(files->value) : QString()));
    } else if (section.name == QLatin1String("supervisord")) {
        static const QStringList relevant{QStringLiteral("environment"), QStringLiteral("user"),
                                          QStringLiteral("directory"), QStringLiteral("umask")};
        for (const IniFile::Entry &entry : section.entries) {
            if (relevant.contains(entry.key))
                builder.note(entry.line, {},
                             QStringLiteral("%1 of [supervisord] is not converted; set it where "
                                            "`rekindle up` is started")
                                 .arg(entry.key));
        }
    } else {
        builder.note(section.line, {},
                     QStringLiteral("[%1] is not converted; Rekindle has no equivalent")
                         .arg(printable(section.name)));
    }
}

// supervisord runs a program of two groups twice. Here, it has the tag of the last group.
void readGroup(const IniFile::Section &section, Groups &groups, ImportBuilder &builder)
{
    const QString group = section.name.mid(section.name.indexOf(u':') + 1).trimmed();
    if (!isTag(group)) {
        builder.note(section.line, {},
                     QStringLiteral("[%1]: the name is invalid as a tag; set \"tags\" by hand")
                         .arg(printable(section.name)));
        return;
    }
    const IniFile::Entry *const programs = section.find(QStringLiteral("programs"));
    for (const QString &each :
         (programs != nullptr ? programs->value : QString()).split(u',', Qt::SkipEmptyParts))
        groups.insert(each.trimmed(), group);
}

} // namespace

Imported readSupervisord(QByteArrayView text)
{
    ImportBuilder builder;
    if (!builder.isText(text))
        return builder.take({});
    const IniFile file =
        IniFile::read(QString::fromUtf8(text), IniFile::Dialect::Supervisord, builder);
    Outputs outputs;
    Groups groups;
    std::vector<SupervisordProgram> programs;
    for (const IniFile::Section &section : file.sections) {
        if (section.name.startsWith(QLatin1String("program:")))
            programs.emplace_back(section, groups, outputs, builder);
        else if (section.name.startsWith(QLatin1String("group:")))
            readGroup(section, groups, builder);
        else
            noteSection(section, builder);
    }
    std::vector<std::pair<int, SupervisordProgram *>> order;
    order.reserve(programs.size());
    for (SupervisordProgram &program : programs)
        order.emplace_back(program.priority(), &program);
    std::ranges::stable_sort(order, {}, [](const auto &each) { return each.first; });
    for (const auto &[priority, program] : order)
        program->read();
    return builder.take(QStringLiteral("[program:NAME]"));
}

} // namespace Rekindle

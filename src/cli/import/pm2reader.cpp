// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "importbuilder_p.h"
#include "importreaders_p.h"
#include "importwords_p.h"
#include "jsliteral_p.h"
#include "memorysize_p.h"

#include <QFileInfo>
#include <QHash>

#include <algorithm>
#include <array>

using namespace std::chrono_literals;

namespace Rekindle {

namespace {

constexpr int mostInstances = 1000;

// What to do instead of keys that are not converted; an empty text means that nothing is lost.
constexpr std::array pm2Advices{
    std::pair{"watch", "use a file watcher that runs `rekindle restart NAME`"},
    std::pair{"ignore_watch", ""},
    std::pair{"watch_delay", ""},
    std::pair{"watch_options", ""},
    std::pair{"cron_restart", "run `rekindle restart NAME` from cron"},
    std::pair{"cron", "run `rekindle restart NAME` from cron"},
    std::pair{"wait_ready",
              R"(print a line when the program is ready, and use "ready" with "line")"},
    std::pair{"listen_timeout", R"(set "startTimeout" of the policy if you use "ready")"},
    std::pair{"log_date_format", "let the program write the time"},
    std::pair{"time", "let the program write the time"},
    std::pair{"log_type", "let the program write JSON"},
    std::pair{"shutdown_with_message", "handle SIGTERM in the program"},
    std::pair{"node_version", R"(set "program" to the path of this version)"},
    std::pair{"namespace", ""},
    std::pair{"vizion", ""},
    std::pair{"source_map_support", ""},
    std::pair{"disable_source_map_support", ""},
    std::pair{"instance_var", ""},
    std::pair{"min_uptime", ""},
    std::pair{"max_restarts", ""},
    std::pair{"restart_delay", ""},
    std::pair{"merge_logs", ""},
    std::pair{"combine_logs", ""},
    std::pair{"pmx", ""},
    std::pair{"force", ""},
    std::pair{"treekill", ""},
};

double pm2Seconds(const QString &unit)
{
    static const QHash<QString, double> units{
        {QStringLiteral(""), 1e-3}, {QStringLiteral("ms"), 1e-3}, {QStringLiteral("s"), 1},
        {QStringLiteral("m"), 60},  {QStringLiteral("h"), 3600},  {QStringLiteral("d"), 86400}};
    return units.value(unit);
}

/// A key and its older names.
using Keys = std::initializer_list<const char *>;

class Pm2App
{
public:
    Pm2App(const JsonNode &node, ImportBuilder &builder)
        : m_node(node)
        , m_builder(builder)
    {
    }

    void read();

private:
    void readInstance(const QString &name, int instance, int instances);
    void readCommand(ImportedAgent &agent);
    void readEnvironment(ImportedAgent &agent, int instance);
    void readRestarts(ImportedAgent &agent);
    void readOutput(ImportedAgent &agent, const char *stream, const Keys &keys, int instance,
                    int instances);
    void noteOthers();
    [[nodiscard]] int readInstances();

    [[nodiscard]] const JsonNode *find(const Keys &keys);
    [[nodiscard]] QString text(const Keys &keys, const QString &standard = {});
    [[nodiscard]] int integer(const char *key, int standard, int greatest);
    [[nodiscard]] Duration duration(const char *key, Duration standard);
    /// A list, or a text that is split into words.
    [[nodiscard]] QStringList words(const Keys &keys);
    [[nodiscard]] int line(const char *key);
    void note(const char *key, const QString &text) { m_builder.note(line(key), m_agent, text); }

    const JsonNode &m_node;
    ImportBuilder &m_builder;
    QString m_agent;
    QString m_first; ///< the first instance
    QStringList m_known;
};

const JsonNode *Pm2App::find(const Keys &keys)
{
    for (const char *const key : keys)
        m_known.append(QLatin1String(key));
    for (const char *const key : keys) {
        if (const JsonNode *const member = m_node.member(QString::fromLatin1(key));
            member != nullptr && member->kind != JsonNode::Kind::Null)
            return member;
    }
    return nullptr;
}

int Pm2App::line(const char *key)
{
    const JsonNode *const member = m_node.member(QString::fromLatin1(key));
    return member != nullptr ? member->position.line : m_node.position.line;
}

QString Pm2App::text(const Keys &keys, const QString &standard)
{
    const JsonNode *const member = find(keys);
    return member != nullptr ? scalarText(*member).value_or(standard) : standard;
}

int Pm2App::integer(const char *key, int standard, int greatest)
{
    const QString value = text({key});
    bool isNumber = false;
    const int number = value.toInt(&isNumber);
    if (value.isEmpty() || (isNumber && number >= 0 && number <= greatest))
        return isNumber ? number : standard;
    note(key,
         QStringLiteral("%1: expected 0 to %2, found \"%3\"; using %4")
             .arg(QLatin1String(key))
             .arg(greatest)
             .arg(printable(value))
             .arg(standard));
    return standard;
}

Duration Pm2App::duration(const char *key, Duration standard)
{
    const QString value = text({key});
    const std::optional<Duration> read = durationOf(value, pm2Seconds);
    if (!read && !value.isEmpty())
        note(key,
             QStringLiteral("%1: expected a duration, found \"%2\"; using %3")
                 .arg(QLatin1String(key), printable(value), formatDuration(standard)));
    return read.value_or(standard);
}

QStringList Pm2App::words(const Keys &keys)
{
    const JsonNode *const member = find(keys);
    if (member == nullptr)
        return {};
    QStringList result;
    if (member->kind == JsonNode::Kind::Array) {
        for (const JsonNode &item : member->children)
            result.append(literal(scalarText(item).value_or(QString())));
    } else if (const std::optional<QStringList> split =
                   splitWords(scalarText(*member).value_or(QString()))) {
        for (const QString &word : *split)
            result.append(literal(word));
    } else {
        note(*keys.begin(),
             QStringLiteral("%1 has an unclosed quote; add the arguments by hand")
                 .arg(QLatin1String(*keys.begin())));
    }
    return result;
}

int Pm2App::readInstances()
{
    const QString count = text({"instances"}, QStringLiteral("1"));
    bool isNumber = false;
    const int number = count.toInt(&isNumber);
    if (isNumber && number >= 1 && number <= mostInstances)
        return number;
    note(
        "instances",
        QStringLiteral("instances=%1 depends on the machine; one agent is added, copy it as needed")
            .arg(printable(count)));
    return 1;
}

void Pm2App::read()
{
    const QString script = text({"script"});
    const QString name = text({"name"}, QFileInfo(script).completeBaseName());
    m_agent = name;
    const int instances = readInstances();
    for (int instance = 0; instance < instances; ++instance)
        readInstance(instances == 1 ? name : QStringLiteral("%1-%2").arg(name).arg(instance),
                     instance, instances);
    noteOthers();
}

void Pm2App::readInstance(const QString &name, int instance, int instances)
{
    ImportedAgent &agent = m_builder.add(name, m_node.position.line);
    m_agent = agent.name;
    if (m_first.isEmpty())
        m_first = agent.name;
    readCommand(agent);
    const QString folder = text({"cwd"});
    agent.members["workingDirectory"] = folder.isEmpty() ? "." : literal(folder).toStdString();
    if (const QString user = text({"uid", "user"}); !user.isEmpty())
        agent.members["user"] = user.toStdString();
    if (const QString group = text({"gid"}); !group.isEmpty())
        agent.members["group"] = group.toStdString();
    readEnvironment(agent, instance);
    readRestarts(agent);
    readOutput(agent, "stdout", {"out_file", "output", "out", "log_file", "log"}, instance,
               instances);
    readOutput(agent, "stderr", {"error_file", "error", "err", "err_file", "log_file", "log"},
               instance, instances);
    agent.members["stop"]["terminate"] =
        m_builder.limited(duration("kill_timeout", 1600ms), 0s, 1h, agent, line("kill_timeout"),
                          QStringLiteral("kill_timeout"));
    if (const QString memory = text({"max_memory_restart"}); !memory.isEmpty()) {
        if (const auto size = memorySize(memory))
            agent.members["recycle"]["memory"] = *size;
        else
            note("max_memory_restart",
                 QStringLiteral("max_memory_restart=%1 is not converted; set \"recycle\" by hand")
                     .arg(printable(memory)));
    }
    if (text({"exec_mode"}, QStringLiteral("fork")).startsWith(QLatin1String("cluster"))
        && instances > 1)
        note("exec_mode",
             QStringLiteral("exec_mode=cluster: the agents are separate processes; give each its "
                            "own port, or set SO_REUSEPORT"));
}

void Pm2App::readCommand(ImportedAgent &agent)
{
    static const QHash<QString, QString> interpreters{
        {QStringLiteral("js"), QStringLiteral("node")},
        {QStringLiteral("cjs"), QStringLiteral("node")},
        {QStringLiteral("mjs"), QStringLiteral("node")},
        {QStringLiteral("sh"), QStringLiteral("bash")},
        {QStringLiteral("py"), QStringLiteral("python3")},
        {QStringLiteral("rb"), QStringLiteral("ruby")},
        {QStringLiteral("pl"), QStringLiteral("perl")},
        {QStringLiteral("php"), QStringLiteral("php")}};
    const QString script = text({"script"});
    const QString suffix = QFileInfo(script).suffix();
    const QString interpreter = text({"interpreter", "exec_interpreter"},
                                     interpreters.value(suffix, QStringLiteral("none")));
    QStringList command = words({"interpreter_args", "node_args"});
    if (!interpreter.isEmpty() && interpreter != QLatin1String("none"))
        command.prepend(literal(interpreter));
    else if (!command.isEmpty())
        command.clear();
    if (suffix == QLatin1String("ts") && interpreter == QLatin1String("none"))
        note("script",
             QStringLiteral("the program for TypeScript is not known; set \"program\" by hand"));
    if (script.isEmpty())
        note("script", QStringLiteral("script is missing; add the agent by hand"));
    else
        m_builder.setCommand(agent, line("script"),
                             command + QStringList(literal(script)) + words({"args"}));
}

void Pm2App::readEnvironment(ImportedAgent &agent, int instance)
{
    if (const JsonNode *const variables = find({"env"}); variables != nullptr) {
        for (const JsonNode &variable : variables->children) {
            if (const std::optional<QString> value = scalarText(variable))
                m_builder.setVariable(agent, variable.position.line, variable.name,
                                      literal(*value));
            else if (variable.kind != JsonNode::Kind::Null)
                m_builder.note(variable.position.line, m_agent,
                               QStringLiteral("variable %1 is not a text; add it as JSON by hand")
                                   .arg(printable(variable.name)));
        }
    }
    m_builder.setVariable(agent, line("instance_var"),
                          text({"instance_var"}, QStringLiteral("NODE_APP_INSTANCE")),
                          QString::number(instance));
}

void Pm2App::readRestarts(ImportedAgent &agent)
{
    constexpr Duration dayLong = 24h;
    agent.members["ready"] = "now";
    Json &policy = agent.members["policy"]; // valid until another member is added
    if (text({"autorestart"}, QStringLiteral("true")) == QLatin1String("false")) {
        policy = {{"type", "none"}};
        return;
    }
    const int restarts = std::max(integer("max_restarts", 16, 1'000'000) - 1, 0);
    const Duration growing = duration("exp_backoff_restart_delay", 0s);
    const Duration fixed = duration("restart_delay", 0s);
    Duration stableAfter = duration("min_uptime", 1s);
    if (growing > 0s) {
        // pm2 multiplies the delay by 1.5 up to 15 s, and resets it after 30 s.
        stableAfter = 30s;
        policy = {{"type", "exponential"},
                  {"initialDelay",
                   m_builder.limited(growing, 1ms, 15s, agent, line("exp_backoff_restart_delay"),
                                     QStringLiteral("exp_backoff_restart_delay"))},
                  {"multiplier", 1.5},
                  {"maxDelay", "15s"}};
    } else if (fixed > 0s) {
        policy = {{"type", "stepped"},
                  {"steps",
                   {m_builder.limited(fixed, 1ms, 7 * dayLong, agent, line("restart_delay"),
                                      QStringLiteral("restart_delay"))}}};
    } else {
        policy = {{"type", "immediate"}};
    }
    policy["maxRetries"] = growing > 0s && m_node.member(u"max_restarts") == nullptr
        ? Json("unlimited")
        : Json(restarts);
    policy["restartOn"] = "always";
    policy["jitter"] = {{"kind", "none"}};
    policy["stableAfter"] = m_builder.limited(stableAfter, 1ms, dayLong, agent, line("min_uptime"),
                                              QStringLiteral("min_uptime"));
    policy["circuitBreaker"] = "off";
    policy["permanent"] = Json::array();
    if (const JsonNode *const codes = find({"stop_exit_codes"}); codes != nullptr) {
        QStringList list{scalarText(*codes).value_or(QString())};
        for (const JsonNode &code : codes->children)
            list.append(scalarText(code).value_or(QString()));
        list.removeAll(QString());
        if (list.contains(QLatin1String("0")))
            policy["restartOn"] = "failure";
        if (list != QStringList(QStringLiteral("0")))
            note("stop_exit_codes",
                 QStringLiteral(
                     "stop_exit_codes: only 0 is converted; make the program exit with 0"));
    }
}

void Pm2App::readOutput(ImportedAgent &agent, const char *stream, const Keys &keys, int instance,
                        int instances)
{
    QString file = text(keys);
    if (file.isEmpty())
        return;
    if (file == QLatin1String("/dev/null") || file == QLatin1String("NULL")) {
        agent.members[stream] = "null";
        return;
    }
    const bool isMerged = text({"merge_logs", "combine_logs"}) == QLatin1String("true");
    if (const qsizetype dot = file.lastIndexOf(u'.'); instances > 1 && !isMerged)
        file.insert(dot > file.lastIndexOf(u'/') ? dot : file.size(),
                    QStringLiteral("-%1").arg(instance));
    agent.members[stream]["file"] = literal(file).toStdString();
}

void Pm2App::noteOthers()
{
    m_agent = m_first;
    for (const JsonNode &member : m_node.children) {
        const auto *const advice = std::ranges::find_if(
            pm2Advices, [&](const auto &each) { return member.name == QLatin1String(each.first); });
        QString text = QStringLiteral("Rekindle has no such setting");
        if (advice != pm2Advices.end())
            text = QString::fromUtf8(advice->second);
        else if (member.name.startsWith(QLatin1String("env_")))
            text = QStringLiteral("write a second configuration for this environment");
        const bool isOff = scalarText(member) == QStringLiteral("false");
        if (!m_known.contains(member.name) && !text.isEmpty() && !isOff)
            m_builder.note(
                member.position.line, m_agent,
                QStringLiteral("%1 is not converted; %2").arg(printable(member.name), text));
    }
}

} // namespace

Imported readPm2(QByteArrayView text)
{
    ImportBuilder builder;
    if (!builder.isText(text))
        return builder.take({});
    const Parsed<JsonNode> read = readJsLiteral(QString::fromUtf8(text));
    for (const Fault &fault : read.faults)
        builder.fault(fault.line, fault.column, fault.message);
    if (read) {
        const JsonNode *apps = read.value->member(u"apps");
        if (apps == nullptr)
            apps = &*read.value; // one app, or a list
        if (apps->kind == JsonNode::Kind::Object)
            Pm2App(*apps, builder).read();
        for (const JsonNode &app :
             apps->kind == JsonNode::Kind::Array ? apps->children : std::vector<JsonNode>()) {
            if (app.kind == JsonNode::Kind::Object)
                Pm2App(app, builder).read();
        }
        if (const JsonNode *const deploy = read.value->member(u"deploy"))
            builder.note(deploy->namePosition.line, {},
                         QStringLiteral("deploy is not converted; Rekindle does not deploy"));
    }
    return builder.take(QStringLiteral("apps"));
}

} // namespace Rekindle

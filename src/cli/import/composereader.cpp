// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "importbuilder_p.h"
#include "importreaders_p.h"
#include "importwords_p.h"
#include "memorysize_p.h"
#include "yamltree_p.h"

#include <QHash>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>

using namespace std::chrono_literals;

namespace Rekindle {

namespace {

constexpr int mostReplicas = 1000;
constexpr int mostTags = 32;

double goSeconds(const QString &unit)
{
    static const QHash<QString, double> units{{QStringLiteral("us"), 1e-6},
                                              {QStringLiteral("ms"), 1e-3},
                                              {QStringLiteral("s"), 1},
                                              {QStringLiteral("m"), 60},
                                              {QStringLiteral("h"), 3600}};
    return units.value(unit);
}

bool isSet(const JsonNode *node) { return node != nullptr && node->kind != JsonNode::Kind::Null; }

int replicasOf(const JsonNode &service)
{
    const JsonNode *const scale = service.member(u"scale");
    const JsonNode *const deploy = service.member(u"deploy");
    const JsonNode *const replicas = deploy != nullptr ? deploy->member(u"replicas") : nullptr;
    const JsonNode *const number = isSet(replicas) ? replicas : scale;
    return isSet(number) ? scalarText(*number).value_or(QString()).toInt() : 1;
}

// deploy.resources.limits.memory, or null.
const JsonNode *memoryLimitOf(const JsonNode *deploy)
{
    const JsonNode *const resources = deploy != nullptr ? deploy->member(u"resources") : nullptr;
    const JsonNode *const limits = resources != nullptr ? resources->member(u"limits") : nullptr;
    return limits != nullptr ? limits->member(u"memory") : nullptr;
}

QString replicaName(const JsonNode &service, int replica, int replicas)
{
    return replicas == 1 ? service.name : QStringLiteral("%1-%2").arg(service.name).arg(replica);
}

// What the conversion of one service needs of the others.
class ComposeServices
{
public:
    explicit ComposeServices(const JsonNode *services)
    {
        for (const JsonNode &service :
             services != nullptr ? services->children : std::vector<JsonNode>()) {
            if (service.kind == JsonNode::Kind::Object)
                add(service);
        }
    }

    /// The names of its agents; empty if it is not converted.
    [[nodiscard]] QStringList agents(const QString &service) const
    {
        return m_agents.value(service);
    }
    /// Whether another service starts when this one is healthy.
    [[nodiscard]] bool mustBeHealthy(const QString &service) const
    {
        return m_healthy.contains(service);
    }

private:
    void add(const JsonNode &service)
    {
        if (isSet(service.member(u"command")) || isSet(service.member(u"entrypoint"))) {
            int replicas = replicasOf(service);
            if (replicas < 1 || replicas > mostReplicas)
                replicas = 1;
            for (int replica = 1; replica <= replicas; ++replica)
                m_agents[service.name].append(replicaName(service, replica, replicas));
        }
        const JsonNode *const dependencies = service.member(u"depends_on");
        for (const JsonNode &each :
             dependencies != nullptr ? dependencies->children : std::vector<JsonNode>()) {
            const JsonNode *const condition = each.member(u"condition");
            if (condition != nullptr && condition->text == QLatin1String("service_healthy"))
                m_healthy.insert(each.name);
        }
    }

    QHash<QString, QStringList> m_agents;
    QSet<QString> m_healthy;
};

class ComposeService
{
public:
    ComposeService(const JsonNode &node, const ComposeServices &services, ImportBuilder &builder)
        : m_node(node)
        , m_services(services)
        , m_builder(builder)
    {
    }

    void read();

private:
    void readReplica(const QString &name);
    void readProfiles(ImportedAgent &agent);
    void readCommand(ImportedAgent &agent);
    void readEnvironment(ImportedAgent &agent);
    void readEnvironmentFiles(ImportedAgent &agent);
    void readRestarts(ImportedAgent &agent);
    void readHealth(ImportedAgent &agent);
    void readDependencies(ImportedAgent &agent);
    void addDependency(ImportedAgent &agent, const JsonNode &node, const QString &service);
    void readStop(ImportedAgent &agent);
    void readMemory(ImportedAgent &agent);
    void noteOthers();

    [[nodiscard]] const JsonNode *find(const char *key);
    [[nodiscard]] QString text(const char *key, const QString &standard = {});
    [[nodiscard]] Duration duration(const JsonNode *node, Duration standard);
    /// A list, or a text that is split into words.
    [[nodiscard]] QStringList words(const char *key);
    /// With variables in the form of Rekindle.
    [[nodiscard]] QString interpolated(const JsonNode &node);
    void note(const JsonNode &node, const QString &text)
    {
        m_builder.note(node.position.line, m_agent, text);
    }

    const JsonNode &m_node;
    const ComposeServices &m_services;
    ImportBuilder &m_builder;
    QString m_agent;
    QString m_first; ///< the first replica
    QStringList m_known;
};

const JsonNode *ComposeService::find(const char *key)
{
    m_known.append(QLatin1String(key));
    const JsonNode *const member = m_node.member(QString::fromLatin1(key));
    return member != nullptr && member->kind != JsonNode::Kind::Null ? member : nullptr;
}

QString ComposeService::text(const char *key, const QString &standard)
{
    const JsonNode *const member = find(key);
    return member != nullptr ? scalarText(*member).value_or(standard) : standard;
}

Duration ComposeService::duration(const JsonNode *node, Duration standard)
{
    if (node == nullptr)
        return standard;
    const QString value = scalarText(*node).value_or(QString());
    const std::optional<Duration> read = durationOf(value, goSeconds);
    if (!read)
        note(*node,
             QStringLiteral("expected a duration such as \"1m30s\", found \"%1\"; using %2")
                 .arg(printable(value), formatDuration(standard)));
    return read.value_or(standard);
}

// $NAME, ${NAME}, ${NAME:-DEFAULT} and $$. Other forms are reported.
QString ComposeService::interpolated(const JsonNode &node)
{
    static const QRegularExpression form(
        QStringLiteral("\\$(?:\\$|([A-Za-z_][A-Za-z0-9_]*)|\\{([A-Za-z_][A-Za-z0-9_]*)(?:(:?[-?+])("
                       "[^{}]*))?\\})"));
    const QString source = scalarText(node).value_or(QString());
    QString result;
    QString plain; // a "$" and a following brace must be escaped together
    qsizetype at = 0;
    for (auto matches = form.globalMatch(source); matches.hasNext();) {
        const QRegularExpressionMatch match = matches.next();
        plain += source.mid(at, match.capturedStart() - at);
        at = match.capturedEnd();
        if (match.captured() == QLatin1String("$$")) {
            plain += u'$';
            continue;
        }
        const QString name = match.captured(1) + match.captured(2);
        const QString kind = match.captured(3);
        result += literal(std::exchange(plain, {}));
        if (kind.endsWith(u'?')) {
            appendVariable(result, QStringLiteral("${%1}").arg(name));
        } else if (kind.isEmpty() || kind.endsWith(u'-')) {
            appendVariable(result, QStringLiteral("${%1:-").arg(name) + match.captured(4) + u'}');
        } else {
            appendVariable(result, QStringLiteral("${%1:-}").arg(name));
            note(node,
                 QStringLiteral("%1 is not converted; write the value by hand")
                     .arg(printable(match.captured())));
        }
        if (kind == QLatin1String("-"))
            note(node,
                 QStringLiteral("%1: the default is also used if the variable is empty")
                     .arg(printable(match.captured())));
    }
    return result + literal(plain + source.mid(at));
}

QStringList ComposeService::words(const char *key)
{
    const JsonNode *const member = find(key);
    QStringList result;
    if (member == nullptr)
        return result;
    for (const JsonNode &item : member->children)
        result.append(interpolated(item));
    if (member->kind != JsonNode::Kind::String)
        return result;
    static const QRegularExpression splitDefault(QStringLiteral("\\$\\{\\w+:-[^}]*[\\s'\"\\\\]"));
    const QString command = interpolated(*member);
    if (splitDefault.match(command).hasMatch())
        note(*member,
             QStringLiteral("a default in %1 is one argument; Compose splits it at blanks")
                 .arg(QLatin1String(key)));
    const std::optional<QStringList> split = splitWords(command, WordContent::Variables);
    if (!split)
        note(*member,
             QStringLiteral("%1 has an unclosed quote; add the agent by hand")
                 .arg(QLatin1String(key)));
    return split.value_or(QStringList());
}

void ComposeService::read()
{
    m_agent = m_node.name;
    m_known += {QStringLiteral("scale"), QStringLiteral("deploy")};
    int replicas = replicasOf(m_node);
    if (replicas < 1 || replicas > mostReplicas) {
        note(m_node,
             QStringLiteral("expected 1 to %1 replicas; one agent is added").arg(mostReplicas));
        replicas = 1;
    }
    for (int replica = 1; replica <= replicas; ++replica)
        readReplica(replicaName(m_node, replica, replicas));
    noteOthers();
}

void ComposeService::readReplica(const QString &name)
{
    ImportedAgent &agent = m_builder.add(name, m_node.namePosition.line);
    m_agent = agent.name;
    if (m_first.isEmpty())
        m_first = agent.name;
    readProfiles(agent);
    readCommand(agent);
    if (const JsonNode *const folder = find("working_dir");
        folder != nullptr && !folder->text.isEmpty())
        agent.members["workingDirectory"] = interpolated(*folder).toStdString();
    readEnvironmentFiles(agent);
    readEnvironment(agent);
    readRestarts(agent);
    readHealth(agent);
    readDependencies(agent);
    readStop(agent);
    readMemory(agent);
}

// Compose starts a service with profiles only on request.
void ComposeService::readProfiles(ImportedAgent &agent)
{
    const JsonNode *const profiles = find("profiles");
    if (profiles == nullptr)
        return;
    if (profiles->kind != JsonNode::Kind::Array)
        note(*profiles, QStringLiteral("profiles: expected a list; set \"tags\" by hand"));
    if (!profiles->children.empty())
        agent.members["start"] = "manual";
    QStringList tags;
    for (const JsonNode &profile : profiles->children) {
        const QString tag = interpolated(profile);
        if (tags.contains(tag))
            continue;
        if (isTag(tag) && tags.size() < mostTags)
            tags.append(tag);
        else
            note(profile,
                 QStringLiteral("the profile %1 is not converted; an agent has at most %2 tags of "
                                "letters, digits, \".\", \"_\" and \"-\"")
                     .arg(printable(tag))
                     .arg(mostTags));
    }
    for (const QString &tag : std::as_const(tags))
        agent.members["tags"].push_back(tag.toStdString());
}

void ComposeService::readCommand(ImportedAgent &agent)
{
    const QStringList command = words("entrypoint") + words("command");
    const JsonNode *const image = find("image");
    const JsonNode *const build = find("build");
    const JsonNode *const source = image != nullptr ? image : build;
    if (command.isEmpty()) {
        note(m_node,
             QStringLiteral("the command is in the image; add an agent with it by hand, or "
                            "supervise `docker compose up %1`")
                 .arg(m_agent));
        return;
    }
    if (source != nullptr)
        note(*source,
             QStringLiteral("%1 is not used; install the program on this machine")
                 .arg(source->name));
    m_builder.setCommand(agent, m_node.position.line, command);
}

void ComposeService::readEnvironment(ImportedAgent &agent)
{
    const JsonNode *const variables = find("environment");
    if (variables == nullptr)
        return;
    for (const JsonNode &variable : variables->children) {
        const QString text = interpolated(variable);
        if (variables->kind == JsonNode::Kind::Object && variable.kind != JsonNode::Kind::Null)
            m_builder.setVariable(agent, variable.position.line, variable.name, text);
        else if (variables->kind == JsonNode::Kind::Array && text.contains(u'='))
            m_builder.setVariable(agent, variable.position.line, text.section(u'=', 0, 0),
                                  text.section(u'=', 1));
        // A name alone is the variable of rekindle, which agents have in any case.
    }
}

void ComposeService::readEnvironmentFiles(ImportedAgent &agent)
{
    const JsonNode *const files = find("env_file");
    if (files == nullptr)
        return;
    const auto add = [&](const JsonNode &file) {
        const JsonNode *const path =
            file.kind == JsonNode::Kind::Object ? file.member(u"path") : &file;
        const JsonNode *const required =
            file.kind == JsonNode::Kind::Object ? file.member(u"required") : nullptr;
        const std::string name =
            path != nullptr ? interpolated(*path).toStdString() : std::string();
        if (name.empty())
            note(file, QStringLiteral("expected the path of a file; add it by hand"));
        else if (required != nullptr && required->text == QLatin1String("false"))
            agent.members["environmentFiles"].push_back({{"file", name}, {"optional", true}});
        else
            agent.members["environmentFiles"].push_back(name);
    };
    if (files->kind == JsonNode::Kind::Array)
        std::ranges::for_each(files->children, add);
    else
        add(*files);
}

void ComposeService::readRestarts(ImportedAgent &agent)
{
    const QString restart = text("restart", QStringLiteral("no"));
    const QString kind = restart.section(u':', 0, 0);
    agent.members["ready"] = "now";
    Json &policy = agent.members["policy"]; // valid until another member is added
    policy = {{"type", "none"}};
    if (kind == QLatin1String("no"))
        return;
    if (kind != QLatin1String("always") && kind != QLatin1String("unless-stopped")
        && kind != QLatin1String("on-failure")) {
        note(*find("restart"),
             QStringLiteral(
                 "restart: expected no, always, unless-stopped or on-failure, found \"%1\"")
                 .arg(printable(restart)));
        return;
    }
    bool isNumber = false;
    const int most = restart.section(u':', 1).toInt(&isNumber);
    const bool isLimited =
        kind == QLatin1String("on-failure") && isNumber && most > 0 && most <= 1'000'000;
    // Docker doubles the delay from 100 ms to one minute and resets it after ten seconds.
    policy = {{"type", "exponential"},
              {"initialDelay", "100ms"},
              {"maxDelay", "1m"},
              {"maxRetries", isLimited ? Json(most) : Json("unlimited")}};
    if (kind != QLatin1String("on-failure"))
        policy["restartOn"] = "always";
    policy["jitter"] = {{"kind", "none"}};
    policy["stableAfter"] = "10s";
    policy["circuitBreaker"] = "off";
    policy["permanent"] = Json::array();
}

void ComposeService::readHealth(ImportedAgent &agent)
{
    const JsonNode *const check = find("healthcheck");
    const JsonNode *const test = check != nullptr ? check->member(u"test") : nullptr;
    if (test == nullptr)
        return;
    QStringList command;
    for (const JsonNode &item : test->children)
        command.append(
            scalarText(item).value_or(QString()).replace(QLatin1String("$$"), QLatin1String("$")));
    const bool isText = test->kind == JsonNode::Kind::String;
    const QString kind = command.isEmpty() ? QStringLiteral("NONE") : command.takeFirst();
    if (isText)
        command = {QStringLiteral("sh"), QStringLiteral("-c"),
                   QString(test->text).replace(QLatin1String("$$"), QLatin1String("$"))};
    else if (kind == QLatin1String("CMD-SHELL") && !command.isEmpty())
        command = {QStringLiteral("sh"), QStringLiteral("-c"), command.front()};
    else if (kind != QLatin1String("CMD") || command.isEmpty() || command.front().isEmpty())
        return;
    Json words = Json::array();
    for (const QString &word : command)
        words.push_back(word.toStdString());
    const auto time = [&](const char *key, Duration standard) {
        return duration(check->member(QString::fromLatin1(key)), standard);
    };
    const auto limited = [&](const char *key, Duration value, Duration least, Duration greatest) {
        return m_builder.limited(value, least, greatest, agent, check->position.line,
                                 QLatin1String(key));
    };
    const JsonNode *const retries = check->member(u"retries");
    const int misses = std::clamp(
        retries != nullptr ? scalarText(*retries).value_or(QString()).toInt() : 3, 1, 1000);
    const Duration interval = time("interval", 30s);
    const Duration timeout = time("timeout", 30s);
    const Duration grace = time("start_period", 0s);
    const Json probe = {{"kind", "exec"},
                        {"command", words},
                        {"interval", limited("interval", interval, 10ms, 24h)},
                        {"timeout", limited("timeout", timeout, 1ms, 20min)},
                        {"misses", misses},
                        {"grace", limited("start_period", grace, 0s, 24h)}};
    agent.members["health"].push_back(probe);
    if (m_services.mustBeHealthy(m_node.name)) {
        agent.members["ready"] = {{"kind", "probe"},
                                  {"probe",
                                   {{"kind", "exec"},
                                    {"command", words},
                                    {"interval", probe["interval"]},
                                    {"timeout", probe["timeout"]}}}};
        // Until then, Docker reports that the container starts.
        agent.members["policy"]["startTimeout"] = limited(
            "start_period",
            std::min<Duration>(grace, 24h) + misses * std::min<Duration>(interval + timeout, 24h),
            1s, 24h);
    }
    note(*check, QStringLiteral("an unhealthy agent is restarted; Docker only reports it"));
}

void ComposeService::readDependencies(ImportedAgent &agent)
{
    const JsonNode *const dependencies = find("depends_on");
    for (const JsonNode &each :
         dependencies != nullptr ? dependencies->children : std::vector<JsonNode>()) {
        const bool isObject = dependencies->kind == JsonNode::Kind::Object;
        addDependency(agent, each, isObject ? each.name : each.text);
    }
}

void ComposeService::addDependency(ImportedAgent &agent, const JsonNode &node,
                                   const QString &service)
{
    static const QHash<QString, std::string> levels{
        {QStringLiteral("service_started"), "started"},
        {QStringLiteral("service_healthy"), "ready"},
        {QStringLiteral("service_completed_successfully"), "completed"}};
    const auto value = [&node](const char *key, const QString &standard) {
        const JsonNode *const member = node.member(QString::fromLatin1(key));
        return isSet(member) ? scalarText(*member).value_or(QString()) : standard;
    };
    const QString condition = value("condition", QStringLiteral("service_started"));
    if (!levels.contains(condition)) {
        note(node,
             QStringLiteral("depends_on: expected service_started, service_healthy or "
                            "service_completed_successfully, found \"%1\"; using service_started")
                 .arg(printable(condition)));
    }
    const QStringList names = m_services.agents(service);
    if (names.isEmpty()) {
        note(node,
             QStringLiteral("depends_on: %1 is not converted; set \"dependsOn\" by hand")
                 .arg(printable(service)));
    }
    for (const QString &name : names) {
        Json dependency = {{"agent", name.toStdString()},
                           {"until", levels.value(condition, "started")}};
        if (value("restart", {}) == QLatin1String("true"))
            dependency["onDown"] = "restart";
        agent.members["dependsOn"].push_back(dependency);
    }
}

void ComposeService::readStop(ImportedAgent &agent)
{
    const JsonNode *const period = find("stop_grace_period");
    agent.members["stop"]["terminate"] = m_builder.limited(
        duration(period, 10s), 0s, 1h, agent, (period != nullptr ? *period : m_node).position.line,
        QStringLiteral("stop_grace_period"));
    const QString signal = text("stop_signal", QStringLiteral("SIGTERM"));
    if (signal == QLatin1String("SIGKILL"))
        agent.members["stop"]["terminate"] = "0s";
    else if (signal != QLatin1String("SIGTERM"))
        note(
            *find("stop_signal"),
            QStringLiteral(
                "stop_signal=%1: SIGTERM is sent instead; handle it in the program or in a wrapper")
                .arg(printable(signal)));
}

void ComposeService::readMemory(ImportedAgent &agent)
{
    const JsonNode *limit = find("mem_limit");
    if (const JsonNode *const deployed = memoryLimitOf(find("deploy")))
        limit = deployed;
    if (!isSet(limit))
        return;
    const QString value = scalarText(*limit).value_or(QString());
    if (const auto size = memorySize(value))
        agent.members["limits"]["memory"] = *size;
    else
        note(*limit,
             QStringLiteral("the limit of memory %1 is not converted; set \"limits\" by hand")
                 .arg(printable(value)));
}

void ComposeService::noteOthers()
{
    m_agent = m_first;
    const JsonNode *const deploy = find("deploy");
    for (const JsonNode &member : deploy != nullptr ? deploy->children : std::vector<JsonNode>()) {
        const bool isMemory = memoryLimitOf(deploy) != nullptr && member.children.size() == 1
            && member.children.front().children.size() == 1
            && member.name == QLatin1String("resources");
        if (member.name != QLatin1String("replicas") && !isMemory)
            note(member,
                 QStringLiteral("deploy.%1 is not converted; set it by hand")
                     .arg(printable(member.name)));
    }
    static const QHash<QString, QString> advices{
        {QStringLiteral("ports"),
         QStringLiteral("the program listens on the machine itself; configure its port")},
        {QStringLiteral("expose"), QStringLiteral("")},
        {QStringLiteral("container_name"), QStringLiteral("")},
        {QStringLiteral("hostname"), QStringLiteral("")},
        {QStringLiteral("labels"), QStringLiteral("")},
        {QStringLiteral("networks"), QStringLiteral("the program uses the network of the machine")},
        {QStringLiteral("network_mode"),
         QStringLiteral("the program uses the network of the machine")},
        {QStringLiteral("volumes"),
         QStringLiteral("use paths of the machine in the command and the environment")},
        {QStringLiteral("user"), QStringLiteral("it is a user of the image; set \"user\" by hand")},
        {QStringLiteral("logging"), QStringLiteral("use \"stdout\" and \"stderr\" with a file")},
        {QStringLiteral("extends"),
         QStringLiteral("import the other file, too, and merge the agents by hand")},
        {QStringLiteral("init"), QStringLiteral("")},
        {QStringLiteral("tty"), QStringLiteral("")},
        {QStringLiteral("stdin_open"), QStringLiteral("")}};
    for (const JsonNode &member : m_node.children) {
        if (m_known.contains(member.name) || member.name.startsWith(QLatin1String("x-")))
            continue;
        const QString advice =
            advices.value(member.name, QStringLiteral("set it by hand if it is needed"));
        if (!advice.isEmpty())
            m_builder.note(
                member.namePosition.line, m_agent,
                QStringLiteral("%1 is not converted; %2").arg(printable(member.name), advice));
    }
}

} // namespace

Imported readCompose(QByteArrayView text)
{
    ImportBuilder builder;
    if (!builder.isText(text))
        return builder.take({});
    const Parsed<JsonNode> read = readYaml(text);
    for (const Fault &fault : read.faults)
        builder.fault(fault.line, fault.column, fault.message);
    if (read) {
        const JsonNode *const services = read.value->member(u"services");
        if (services != nullptr && services->kind != JsonNode::Kind::Object) {
            builder.fault(
                services->namePosition.line, services->namePosition.column,
                QStringLiteral("services: expected a mapping, found %1").arg(services->describe()));
            return builder.take({});
        }
        const ComposeServices all(services);
        for (const JsonNode &service :
             services != nullptr ? services->children : std::vector<JsonNode>()) {
            if (service.kind == JsonNode::Kind::Object)
                ComposeService(service, all, builder).read();
        }
        if (read.value->member(u"include") != nullptr)
            builder.note(read.value->member(u"include")->namePosition.line, {},
                         QStringLiteral("include is not converted; import each file, and list the "
                                        "results in \"include\""));
    }
    return builder.take(QStringLiteral("a service"));
}

} // namespace Rekindle

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "comparable.h"
#include "instantagent.h"
#include "socketclient.h"
#include "testprogram.h"

#include "control/calls/controlcalls_p.h"
#include "control/session/controlsession_p.h"
#include "wire/messagewriter_p.h"

#include <rekindle/control/controlserver.h>
#include <rekindle/control/fleetcontrol.h>
#include <rekindle/control/reloadableconfiguration.h>
#include <rekindle/groups/agentdependencies.h>
#include <rekindle/groups/agentgroups.h>
#include <rekindle/groups/sharedbreakers.h>
#include <rekindle/groups/startgate.h>
#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/lifecycle/featuregate.h>
#include <rekindle/lifecycle/fixedlicenseprovider.h>
#include <rekindle/lifecycle/restartpolicyevaluator.h>
#include <rekindle/lifecycle/timerscheduler.h>

#include <QDirIterator>
#include <QFile>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace Rekindle;
using namespace std::chrono_literals;

/// Each message of the control protocol, as golden/NAME.json or golden/errors/NAME.json: what a
/// client sends, and what it receives. Set UPDATE_GOLDEN to write the files; then review the
/// difference.
class ProtocolGoldenTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void answersAsTheFilesSay();
    void listsGroupsAsTheFilesSay();
    void listsGovernorAsTheFilesSay();
    void operatesFleetAsTheFilesSay();
    void refusesAsTheFilesSay();
    void reportsGapsAsTheFilesSay();
    void everyMethodHasAFile();
    void filesMatchTheSchema();
    void schemaHasTheParametersOfEachMethod();
    void schemaHasAllErrors();
    void schemaRejectsWrongMessages();

private:
    class Configuration;
    class HoldingAgent;

    /// Sends a request, receives the messages up to its response and, if `last` is not empty, up to
    /// this notification, and compares all of them with the file.
    void exchange(const QByteArray &file, const QByteArray &method, const QByteArray &params,
                  const QString &last = {});
    void compare(const QByteArray &file, const QJsonValue &sent, const QJsonArray &received);
    /// Sends a line on a connection of its own, and compares the answer. `sent` replaces the line
    /// in the file.
    void exchangeLine(const QByteArray &file, const QByteArray &line, const QString &sent = {},
                      bool withHello = true);
    void fail();

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<TimerScheduler> m_scheduler;
    std::unique_ptr<AgentSupervisor> m_supervisor;
    std::unique_ptr<Configuration> m_configuration;
    std::unique_ptr<SharedBreakers> m_breakers;
    std::unique_ptr<ControlServer> m_server;
    std::unique_ptr<SocketClient> m_client;
    FixedLicenseProvider m_license{LicenseTier::Enterprise};
    HoldingAgent *m_agent = nullptr;
    QUuid m_id;
    int m_requests = 0;
};

/// Stops only if it is not held.
class ProtocolGoldenTest::HoldingAgent final : public InstantAgent
{
public:
    void stop() override
    {
        if (!isHeld)
            InstantAgent::stop();
    }
    bool isHeld = false;
};

/// Reports a change of each kind, or a fault.
class ProtocolGoldenTest::Configuration final : public ReloadableConfiguration
{
public:
    Result reload(bool dryRun) override
    {
        Result result;
        const Fault warning{.path = QStringLiteral("/agents/0/program"),
                            .message = QStringLiteral("the program is not found"),
                            .severity = Fault::Severity::Warning,
                            .line = 3,
                            .column = 5};
        result.faults.append(warning);
        if (isFaulty && !dryRun)
            result.faults.append({.path = QStringLiteral("/agents"),
                                  .message = QStringLiteral("expected an array, found 1")});
        result.changes.added = {QStringLiteral("new")};
        result.changes.removed = {QStringLiteral("old")};
        result.changes.unchanged = {QStringLiteral("web")};
        result.changes.changed = {
            {QStringLiteral("api"), DefinitionPart::Process, {QStringLiteral("arguments")}, true},
            {QStringLiteral("worker"),
             DefinitionPart::Policy,
             {QStringLiteral("policy.maxRetries")},
             false}};
        return result;
    }
    bool isFaulty = false;
};

namespace {

const QString goldenFolder = QStringLiteral(GOLDEN_FILES "/");

QByteArray readAll(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QJsonValue schemaOf(const char *part)
{
    const QByteArray text = readAll(QStringLiteral(PROTOCOL_SCHEMA));
    return QJsonDocument::fromJson(text)[QLatin1String("$defs")][QLatin1String(part)];
}

// The faults of a message that validates as this part of the schema; empty if it is valid.
QByteArray faultsOf(const QByteArray &part, const QByteArray &json)
{
    QProcess check;
    check.start(QStringLiteral(PYTHON),
                {QStringLiteral(PROTOCOL_CHECK), QStringLiteral(PROTOCOL_SCHEMA),
                 QString::fromLatin1(part)});
    check.write(json);
    check.closeWriteChannel();
    if (!check.waitForFinished(120'000) || check.exitStatus() != QProcess::NormalExit)
        return "the check has not finished";
    return check.readAllStandardOutput() + check.readAllStandardError();
}

} // namespace

void ProtocolGoldenTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_scheduler = std::make_unique<TimerScheduler>();
    m_supervisor = std::make_unique<AgentSupervisor>(*m_scheduler);
    m_supervisor->featureGate().setProvider(&m_license);
    m_configuration = std::make_unique<Configuration>();
    m_server = std::make_unique<ControlServer>(
        *m_supervisor,
        ControlServerOptions{.name = QStringLiteral("web"),
                             .socketName = QStringLiteral("web"),
                             .configuration = QStringLiteral("/etc/web.json"),
                             .folder = m_folder->filePath(QStringLiteral("c"))});
    m_server->setConfiguration(m_configuration.get());
    QCOMPARE(m_server->listen(), QString());
    RestartPolicy policy;
    policy.type = RestartPolicyType::Linear;
    policy.initialDelay = 1h;
    policy.maxDelay = 1h;
    policy.jitter.kind = JitterKind::None;
    auto agent = std::make_unique<HoldingAgent>();
    m_agent = agent.get();
    m_id = m_supervisor->add(QStringLiteral("web"), std::move(agent), policy).id;
    m_breakers = std::make_unique<SharedBreakers>(*m_supervisor);
    QCOMPARE(m_breakers->setBreakers({{.name = QStringLiteral("api")}}), QStringList());
    m_breakers->setRequired(QStringLiteral("web"), {QStringLiteral("api")});
    m_server->setSharedBreakers(m_breakers.get());
    m_supervisor->setTags(m_id, {QStringLiteral("public")});
    m_supervisor->startAll();
    QTRY_COMPARE(m_supervisor->snapshot(m_id)->state, InstanceState::Running);
    m_client = std::make_unique<SocketClient>(m_server->socketPath());
    m_requests = 0;
}

void ProtocolGoldenTest::cleanup()
{
    m_client.reset();
    m_server.reset();
    m_breakers.reset();
    m_supervisor.reset();
}

void ProtocolGoldenTest::fail()
{
    Q_EMIT m_agent->failed(FailureReason::ProcessCrash,
                           {.message = QStringLiteral("no database"),
                            .exitCode = 3,
                            .stderrTail = {QStringLiteral("cannot connect")}});
    QTRY_COMPARE(m_supervisor->snapshot(m_id)->state, InstanceState::Waiting);
}

void ProtocolGoldenTest::exchange(const QByteArray &file, const QByteArray &method,
                                  const QByteArray &params, const QString &last)
{
    const int id = ++m_requests;
    const QByteArray line = makeRequest(QByteArray::number(id), QLatin1String(method), params);
    m_client->send(line + '\n');
    QJsonArray received;
    bool isAnswered = false;
    bool isComplete = last.isEmpty();
    while (!isAnswered || !isComplete) {
        const QJsonObject message = m_client->message();
        QVERIFY2(!message.isEmpty(), file.constData());
        received.append(message);
        isAnswered = isAnswered || message[QLatin1String("id")] == id;
        isComplete = isComplete || message[QLatin1String("method")] == last;
    }
    compare(file, QJsonDocument::fromJson(line).object(), received);
}

void ProtocolGoldenTest::compare(const QByteArray &file, const QJsonValue &sent,
                                 const QJsonArray &received)
{
    const QString path = goldenFolder + QString::fromLatin1(file) + QLatin1String(".json");
    const QJsonObject messages{{QStringLiteral("sent"), comparable(sent)},
                               {QStringLiteral("received"), comparable(received)}};
    const QByteArray text = QJsonDocument(messages).toJson();
    if (qEnvironmentVariableIsSet("UPDATE_GOLDEN")) {
        QFile golden(path);
        QVERIFY(golden.open(QIODevice::WriteOnly));
        golden.write(text);
    }
    const QList<QByteArray> lines = text.split('\n');
    const QList<QByteArray> expected = readAll(path).split('\n');
    for (qsizetype i = 0; i < std::min(lines.size(), expected.size()); ++i)
        QVERIFY2(lines[i] == expected[i],
                 QByteArray(file + ": " + lines[i] + " | " + expected[i]).constData());
    QVERIFY2(lines.size() == expected.size(), file.constData());
}

void ProtocolGoldenTest::exchangeLine(const QByteArray &file, const QByteArray &line,
                                      const QString &sent, bool withHello)
{
    SocketClient client(m_server->socketPath());
    if (withHello) {
        client.hello();
        QVERIFY(client.result().isObject());
    }
    client.send(line + '\n');
    const QJsonObject request = QJsonDocument::fromJson(line).object();
    compare(file, sent.isEmpty() ? QJsonValue(request) : QJsonValue(sent), {client.message()});
}

void ProtocolGoldenTest::refusesAsTheFilesSay()
{
    exchangeLine("errors/parseError", "{\"id\":1,", QStringLiteral("{\"id\":1,"));
    exchangeLine("errors/invalidRequest", "[]", QStringLiteral("[]"));
    exchangeLine("errors/unsupportedProtocol",
                 makeRequest("1", QLatin1String("hello"), R"({"protocols":[2,7]})"), {}, false);
    const HostInfo host;
    ControlSession session(host);
    const auto answerTo = [&session](const QByteArray &line) {
        session.receive(QByteArray(line + '\n'));
        (void)session.readLine();
        const QByteArray answer = session.outgoing().next().toByteArray();
        session.outgoing().drop(answer.size());
        return QJsonDocument::fromJson(answer).object();
    };
    QVERIFY(answerTo(makeRequest("0", QLatin1String("hello"), R"({"protocols":[1]})"))
                .contains(QLatin1String("result")));
    compare("errors/tooLarge", QStringLiteral("a line of 1,048,577 bytes"),
            {answerTo(QByteArray(ControlSession::longestLine + 1, 'x'))});

    SocketClient client(m_server->socketPath());
    client.hello();
    QVERIFY(client.result().isObject());
    const QByteArray wait = R"({"agents":["web"],"for":"stopped"})";
    for (int id = 1; id <= 17; ++id)
        client.request(id, "agents.wait", wait);
    const QByteArray last = makeRequest("17", QLatin1String("agents.wait"), wait);
    compare("errors/busy", QJsonDocument::fromJson(last).object(), {client.message()});
    const QByteArray cancel = makeNotification(QLatin1String("$/cancel"), R"({"id":7})");
    client.send(cancel + '\n');
    compare("errors/requestCancelled", QJsonDocument::fromJson(cancel).object(),
            {client.message()});

    m_agent->isHeld = true;
    m_supervisor->stopAll();
    exchangeLine("errors/stopping",
                 makeRequest("1", QLatin1String("agents.start"), R"({"agents":["web"]})"));
    m_agent->isHeld = false;
    Q_EMIT m_agent->stopped();
}

// Without the event loop, the host sends nothing while events and lines are added.
void ProtocolGoldenTest::reportsGapsAsTheFilesSay()
{
    const auto open = [](SocketClient &client, const QByteArray &request) {
        client.hello();
        QVERIFY(client.result().isObject());
        client.send(request + '\n');
        QVERIFY(client.result().isObject());
    };
    const QByteArray subscribe = makeRequest("1", QLatin1String("events.subscribe"),
                                             R"({"from":"now","types":["agent.stopped"]})");
    SocketClient events(m_server->socketPath());
    open(events, subscribe);
    const QSignalSpy notLogged(m_supervisor.get(), &AgentSupervisor::healthChanged);
    constexpr int stored = 65'536;
    for (int i = 0; i < stored + 3; ++i)
        m_supervisor->policyEvaluator().announce(m_id, HealthChanged{});
    compare("events.gap", QJsonDocument::fromJson(subscribe).object(), {events.message()});

    const QByteArray follow =
        makeRequest("1", QLatin1String("logs.follow"), R"({"agent":"web","lines":0})");
    SocketClient lines(m_server->socketPath());
    open(lines, follow);
    constexpr int storedLines = 1000;
    for (int i = 0; i < storedLines + 5; ++i)
        Q_EMIT m_agent->output(AgentOutput::Stream::Output, "line");
    compare("logs.gap", QJsonDocument::fromJson(follow).object(), {lines.message()});
}

void ProtocolGoldenTest::answersAsTheFilesSay()
{
    const QByteArray web = R"({"agent":"web"})";
    const QByteArray webs = R"({"agents":["web"],"reason":"a test"})";
    exchange("errors/helloRequired", "agents.list", "{}");
    exchange("hello", "hello", R"({"protocols":[1],"client":"golden"})");
    exchange("agents.list", "agents.list", R"({"tags":["public"]})");
    exchange("agents.get", "agents.get", web);
    exchange("agents.wait", "agents.wait", R"({"agents":["web"],"for":"ready","timeout":1000})");
    exchange("errors/timedOut", "agents.wait", R"({"agents":["web"],"for":"stopped","timeout":0})");
    Q_EMIT m_agent->output(AgentOutput::Stream::Output, "hello");
    exchange("logs.read", "logs.read",
             R"({"agent":"web","lines":10,"streams":["stdout"],"match":"h"})");
    exchange("logs.follow", "logs.follow", R"({"agent":"web","lines":1})",
             QStringLiteral("logs.line"));
    exchange("breaker.isolate", "breaker.isolate", R"({"agent":"web","reason":"maintenance"})");
    exchange("breaker.release", "breaker.release", web);
    exchange("breaker.reset", "breaker.reset", web);
    exchange("breaker.isolate.shared", "breaker.isolate", R"({"shared":"api","reason":"a test"})");
    exchange("agents.list.shared", "agents.list", "{}");
    exchange("agents.restart.open", "agents.restart", webs);
    exchange("errors/noSharedBreaker", "breaker.reset", R"({"shared":"apj"})");
    exchange("errors/agentAndShared", "breaker.reset", R"({"agent":"web","shared":"api"})");
    m_breakers->reset(QStringLiteral("api"));
    fail();
    exchange("agents.explain", "agents.explain", R"({"agent":"web","decisions":1})");
    exchange("agents.retry", "agents.retry", webs);
    QTRY_COMPARE(m_supervisor->snapshot(m_id)->state, InstanceState::Running);
    exchange("agents.restart", "agents.restart", webs);
    QTRY_COMPARE(m_supervisor->snapshot(m_id)->generation, quint64{3});
    QTRY_COMPARE(m_supervisor->snapshot(m_id)->state, InstanceState::Running);
    exchange("agents.stop", "agents.stop", webs);
    QTRY_COMPARE(m_supervisor->snapshot(m_id)->state, InstanceState::Stopped);
    exchange("agents.start", "agents.start", webs);
    QTRY_COMPARE(m_supervisor->snapshot(m_id)->state, InstanceState::Running);
    exchange("config.check", "config.check", "{}");
    exchange("config.reload", "config.reload", R"({"dryRun":true})");
    m_configuration->isFaulty = true;
    exchange("errors/configInvalid", "config.reload", "{}");
    exchange("events.subscribe", "events.subscribe",
             R"({"from":"oldest","until":"now","snapshot":true,"agents":["web"]})",
             QStringLiteral("events.end"));
    exchange("errors/unknownAgent", "agents.get", R"({"agent":"wbe"})");
    exchange("errors/cursorGone", "events.subscribe",
             R"({"from":"00000000-0000-0000-0000-000000000000:5"})");
    exchange("errors/refused", "host.stop", R"({"how":"kill"})");
    exchange("errors/invalidParams", "agents.list", R"({"agent":"web"})");
    exchange("errors/methodNotFound", "agents.fly", "{}");
    m_agent->files = {{AgentOutput::Stream::Error, QStringLiteral("/nowhere/web.log")}};
    exchange("logs.read.file", "logs.read", web);
    exchange("logs.follow.file", "logs.follow", R"({"agent":"web","streams":["stderr"]})");
    connect(m_server.get(), &ControlServer::stopRequested, this, [this] {
        QMetaObject::invokeMethod(this, [this] { m_server.reset(); }, Qt::QueuedConnection);
    });
    exchange("host.stop", "host.stop", R"({"how":"orderly"})", QStringLiteral("bye"));
}

// A group that contains the agent through another group, after a failure; not one without it.
void ProtocolGoldenTest::listsGroupsAsTheFilesSay()
{
    AgentDependencies dependencies(*m_supervisor);
    AgentGroups groups(dependencies);
    GroupDefinition outer{.name = QStringLiteral("all")};
    outer.members = {{.name = QStringLiteral("site"), .isGroup = true}};
    GroupDefinition inner{.name = QStringLiteral("site"), .strategy = GroupStrategy::OneForAll};
    inner.members = {{.name = QStringLiteral("web")}, {.name = QStringLiteral("db")}};
    GroupDefinition other{.name = QStringLiteral("other")};
    other.members = {{.name = QStringLiteral("mail")}};
    QCOMPARE(groups.setGroups({outer, inner, other}), QStringList());
    m_server->setGroups(&groups);
    m_client->hello();
    QVERIFY(m_client->result().isObject());
    fail();
    exchange("agents.list.groups", "agents.list", R"({"agents":["web"]})");
    m_client.reset();
    m_server.reset();
}

namespace {

/// The fleet of node "a", which runs the agent "web".
class GoldenFleet final : public FleetControl
{
public:
    [[nodiscard]] FleetStatus status() const override
    {
        return {.node = QStringLiteral("a"),
                .leaseEndsIn = 8s,
                .isDraining = isDraining,
                .nodes = {{.node = QStringLiteral("a"),
                           .run = QStringLiteral("run-a"),
                           .renewed = 1s,
                           .lostIn = 19s},
                          {.node = QStringLiteral("b"),
                           .run = QStringLiteral("run-b"),
                           .isDraining = true,
                           .renewed = 2s,
                           .lostIn = 18s},
                          {.node = QStringLiteral("c"), .absent = 120s}},
                .agents = {{.agent = QStringLiteral("web"),
                            .placement = *placement(QStringLiteral("web")),
                            .since = 60s}}};
    }
    [[nodiscard]] std::optional<AgentStatus::Placement>
    placement(const QString & /*agent*/) const override
    {
        return AgentStatus::Placement{.state = QStringLiteral("running"),
                                      .node = QStringLiteral("a"),
                                      .token = 17,
                                      .leaseEndsIn = 8s,
                                      .text = QStringLiteral("runs on this node")};
    }
    void setDraining(bool draining) override { isDraining = draining; }
    [[nodiscard]] QString move(const QString & /*agent*/, const QString &node) override
    {
        return node == QLatin1String("b") ? QString()
                                          : QStringLiteral("no node named c has a session");
    }

    bool isDraining = false;
};

} // namespace

void ProtocolGoldenTest::operatesFleetAsTheFilesSay()
{
    GoldenFleet fleet;
    m_server->setFleet(&fleet);
    m_client->hello();
    QVERIFY(m_client->result().isObject());
    exchange("placed/agents.get", "agents.get", R"({"agent":"web"})");
    exchange("fleet.status", "fleet.status", "{}");
    exchange("fleet.drain", "fleet.drain", R"({"node":"a"})");
    QVERIFY(fleet.isDraining);
    exchange("errors/otherNode", "fleet.drain", R"({"node":"b"})");
    exchange("fleet.move", "fleet.move", R"({"agent":"web","node":"b","reason":"a test"})");
    exchange("errors/notMoved", "fleet.move", R"({"agent":"web","node":"c"})");
    m_client.reset();
    m_server.reset();
}

// One start passes, and one is queued.
void ProtocolGoldenTest::listsGovernorAsTheFilesSay()
{
    StartGate gate(*m_supervisor);
    gate.setLimits(GovernorLimits{.maxStarting = 1, .rate = 1, .period = 1h, .burst = 1});
    m_server->setStartGate(&gate);
    for (const char *name : {"db", "mail"})
        QVERIFY(m_supervisor->add(QLatin1String(name), std::make_unique<InstantAgent>()));
    m_supervisor->startAll();
    QTRY_COMPARE(gate.governor().queuedCount(), 1);
    m_client->hello();
    QVERIFY(m_client->result().isObject());
    exchange("agents.list.governor", "agents.list", R"({"agents":["mail"]})");
    m_client.reset();
    m_server.reset();
}

void ProtocolGoldenTest::everyMethodHasAFile()
{
    for (const ControlMethod &each : controlMethods()) {
        const QString name = QString::fromLatin1(each.name) + QLatin1String(".json");
        QVERIFY2(QFile::exists(goldenFolder + name), qPrintable(name));
    }
}

void ProtocolGoldenTest::filesMatchTheSchema()
{
    QStringList files;
    for (QDirIterator each(goldenFolder, {QStringLiteral("*.json")}, QDir::Files,
                           QDirIterator::Subdirectories);
         each.hasNext();)
        files.append(each.next());
    QVERIFY(files.size() > static_cast<qsizetype>(controlMethods().size()));
    QJsonObject all;
    for (const QString &file : files)
        all[file] = QJsonDocument::fromJson(readAll(file)).object();
    QCOMPARE(faultsOf("exchanges", QJsonDocument(all).toJson()), QByteArray());
}

// The faults of an unknown parameter name all others.
void ProtocolGoldenTest::schemaHasTheParametersOfEachMethod()
{
    m_client->hello();
    QVERIFY(m_client->result().isObject());
    QJsonObject all = schemaOf("requests")[QLatin1String("$defs")].toObject();
    all.remove(QStringLiteral("hello"));
    QCOMPARE(static_cast<std::size_t>(all.size()), controlMethods().size());
    for (const ControlMethod &each : controlMethods()) {
        const QJsonValue params =
            all[QLatin1String(each.name)][QLatin1String("properties")][QLatin1String("params")];
        m_client->request(++m_requests, each.name.data(), R"({"of no method":1})");
        const QJsonObject error = m_client->error();
        QStringList known;
        QStringList missing;
        const QJsonArray faults = error[QLatin1String("data")][QLatin1String("faults")].toArray();
        for (const auto &fault : faults) {
            const QString path = fault[QLatin1String("path")].toString();
            const QString message = fault[QLatin1String("message")].toString();
            if (path == QLatin1String("/of no method"))
                known = message.section(QLatin1String("one of "), 1).split(QLatin1String(", "));
            else
                missing.append(path.mid(1));
        }
        known.removeAll(QString());
        known.sort();
        QCOMPARE(known, params[QLatin1String("properties")].toObject().keys());
        // "agent" or "shared"
        const bool isChoice = !params[QLatin1String("oneOf")].isUndefined();
        QCOMPARE(missing,
                 isChoice ? QStringList(QStringLiteral("agent"))
                          : params[QLatin1String("required")].toVariant().toStringList());
    }
}

void ProtocolGoldenTest::schemaHasAllErrors()
{
    const QDir folder = QFileInfo(QStringLiteral(PROTOCOL_SCHEMA)).dir();
    const QByteArray header =
        readAll(folder.filePath(QStringLiteral("../../include/rekindle/control/controlerror.h")));
    QSet<int> codes;
    for (qsizetype at = 0; (at = header.indexOf("= -", at + 1)) > 0;)
        codes.insert(header.mid(at + 2, 6).toInt());
    QSet<int> ofSchema;
    const QJsonValue code = schemaOf("error")[QLatin1String("properties")][QLatin1String("error")]
                                             [QLatin1String("properties")][QLatin1String("code")];
    for (const auto &each : code[QLatin1String("enum")].toArray())
        ofSchema.insert(each.toInt());
    QVERIFY(!codes.isEmpty());
    QCOMPARE(codes, ofSchema);
}

void ProtocolGoldenTest::schemaRejectsWrongMessages()
{
    for (const char *wrong :
         {R"({"jsonrpc":"2.0","id":1,"method":"agents.get","params":{}})",
          R"({"jsonrpc":"2.0","id":1,"method":"agents.get","params":{"agent":"a","more":1}})",
          R"({"jsonrpc":"2.0","id":1,"method":"agents.wait","params":{"agents":["a"],"for":"up"}})",
          R"({"jsonrpc":"2.0","id":1,"method":"agents.fly"})", R"({"id":1,"method":"hello"})",
          R"({"jsonrpc":"2.0","method":"events.gap","params":{"from":"a"}})",
          R"({"jsonrpc":"2.0","id":1,"error":{"code":"x","message":"y"}})"})
        QVERIFY2(!faultsOf("message", wrong).isEmpty(), wrong);
    QCOMPARE(
        faultsOf(
            "message",
            R"({"jsonrpc":"2.0","method":"events.gap","params":{"from":"00000000-0000-0000-0000-000000000000:1","to":"00000000-0000-0000-0000-000000000000:2","count":2}})"),
        QByteArray());
    QCOMPARE(faultsOf("message",
                      R"({"jsonrpc":"2.0","method":"logs.gap","params":{"agent":"a","count":2}})"),
             QByteArray());
    QCOMPARE(faultsOf("message", R"({"jsonrpc":"2.0","method":"$/cancel","params":{"id":7}})"),
             QByteArray());
}

REKINDLE_TEST(ProtocolGoldenTest)
#include "protocolgoldentest.moc"

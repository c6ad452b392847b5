// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commandrun.h"
#include "testprogram.h"

#include <unistd.h>

#include <csignal>
#include <memory>

using namespace Rekindle;

/// Reloads of a real `up` without a controlling terminal.
class ReloadCommandTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void appliesWhatChanged();
    void dryRunChangesNothing();
    void reportsFaultsAndChangesNothing();
    void missingProgramOfRunningAgentIsAFault();
    void hangupReloadsWithoutTerminal();
    void watchReloads();
    void manualAgentWaitsForStart();

private:
    [[nodiscard]] QStringList with(QStringList arguments) const
    {
        return arguments << QStringLiteral("--config") << m_configuration;
    }
    void write(const QByteArray &agents)
    {
        m_configuration = writeFile(m_folder.path(), QStringLiteral("reload.json"),
                                    R"({"agents": [)" + agents + "]}");
    }
    void start(const QStringList &options = {})
    {
        m_up = std::make_unique<CommandRun>(
            words("up", m_configuration, "--store", "off", "--state", "off", "--log", "json")
            + options);
        // Otherwise SIGHUP would stop it if the tests run on a terminal.
        m_up->setChildProcessModifier([] { ::setsid(); });
        QVERIFY(m_up->begin());
        QVERIFY(m_up->waitForOutput("agent.ready"));
    }
    [[nodiscard]] QJsonObject agent(const QString &name) const
    {
        CompletedRun status(with(words("status", "--json")));
        const QJsonDocument document = QJsonDocument::fromJson(status.output());
        for (const auto &each : document[QLatin1String("agents")].toArray()) {
            if (each[QLatin1String("agent")] == name)
                return each.toObject();
        }
        return {};
    }
    [[nodiscard]] qint64 pidOf(const char *name) const
    {
        return agent(QLatin1String(name))[QLatin1String("pid")].toInteger();
    }

    QTemporaryDir m_folder;
    QString m_configuration;
    std::unique_ptr<CommandRun> m_up;
};

namespace {

constexpr char web[] = R"({"name": "web", "kind": "process", "program": "sleep",
    "arguments": ["1000"], "ready": {"kind": "now"}})";
constexpr char api[] = R"({"name": "api", "kind": "process", "program": "sleep",
    "arguments": ["2000"], "ready": {"kind": "now"}, "policy": {"maxRetries": 3}})";

QByteArray agents(std::initializer_list<const char *> entries)
{
    QByteArrayList list;
    for (const char *entry : entries)
        list.append(entry);
    return list.join(", ");
}

} // namespace

void ReloadCommandTest::init() { write(agents({web})); }

void ReloadCommandTest::cleanup()
{
    if (m_up && m_up->state() == QProcess::Running)
        QCOMPARE(m_up->endBy(SIGTERM), 0);
    m_up.reset();
}

void ReloadCommandTest::appliesWhatChanged()
{
    start();
    const qint64 pid = pidOf("web");
    write(agents({web, api}));
    CompletedRun add(with(words("reload")));
    QCOMPARE(add.output(), QByteArray("api: added\n"));
    QVERIFY(waitUntil([this] { return pidOf("api") != 0; }));
    QCOMPARE(pidOf("web"), pid);

    const QByteArray other = QByteArray(web).replace("1000", "3000");
    const QByteArray patient = QByteArray(api).replace("3}", "9}");
    const qint64 apiPid = pidOf("api");
    write(agents({other.constData(), patient.constData()}));
    CompletedRun change(with(words("reload")));
    QCOMPARE(change.output(),
             QByteArray("web: restarted (arguments)\napi: updated (policy.maxRetries)\n"));
    QVERIFY(waitUntil([&] { return pidOf("web") != 0 && pidOf("web") != pid; }));
    QCOMPARE(pidOf("api"), apiPid);
    QCOMPARE(agent(QStringLiteral("api"))[QLatin1String("maxRetries")], 9);

    write(patient);
    CompletedRun remove(with(words("reload", "--json")));
    const QJsonDocument removed = QJsonDocument::fromJson(remove.output());
    QCOMPARE(removed[QLatin1String("removed")].toArray(), QJsonArray{QStringLiteral("web")});
    QCOMPARE(removed[QLatin1String("unchanged")].toArray(), QJsonArray{QStringLiteral("api")});
    QVERIFY(waitUntil([this] { return agent(QStringLiteral("web")).isEmpty(); }));
    QVERIFY(m_up->waitForError("reloaded: 1 removed, 1 unchanged"));
    CompletedRun again(with(words("reload")));
    QCOMPARE(again.output(), QByteArray("nothing has changed\n"));
    write(patient + R"(], "governor": {"maxStarting": 1}, "groups": [)");
    CompletedRun governor(with(words("reload")));
    QCOMPARE(governor.output(), QByteArray("governor: updated\n"));
}

void ReloadCommandTest::missingProgramOfRunningAgentIsAFault()
{
    start();
    const qint64 pid = pidOf("web");
    write(agents({QByteArray(web).replace("\"sleep\"", "\"./missing\"").constData()}));
    CompletedRun reload(with(words("reload")), 78);
    VERIFY_CONTAINS(reload.error(), "missing is not found");
    QVERIFY(!reload.error().contains("warning"));
    QCOMPARE(pidOf("web"), pid);
}

void ReloadCommandTest::dryRunChangesNothing()
{
    start();
    write(agents({api}));
    CompletedRun dry(with(words("reload", "--dry-run")));
    QCOMPARE(dry.output(), QByteArray("api: would be added\nweb: would be removed\n"));
    QVERIFY(pidOf("web") != 0);
    QVERIFY(agent(QStringLiteral("api")).isEmpty());
}

void ReloadCommandTest::reportsFaultsAndChangesNothing()
{
    start();
    const qint64 pid = pidOf("web");
    write(agents({R"({"name": "web", "kind": "process", "programm": "sleep"})"}));
    CompletedRun faulty(with(words("reload")), 78);
    VERIFY_CONTAINS(faulty.error(), "reload.json:1:13: /agents/0/program: missing");
    VERIFY_CONTAINS(faulty.error(), "the configuration has faults; nothing was changed");
    QCOMPARE(faulty.output(), QByteArray());
    QCOMPARE(pidOf("web"), pid);
}

void ReloadCommandTest::hangupReloadsWithoutTerminal()
{
    start();
    write(agents({web, api}));
    m_up->signal(SIGHUP);
    QVERIFY(m_up->waitForError("reloaded: 1 added, 1 unchanged"));
    QVERIFY(waitUntil([this] { return pidOf("api") != 0; }));
    write(agents({"1"}));
    m_up->signal(SIGHUP);
    QVERIFY(m_up->waitForError("not reloaded: it has faults; nothing was changed"));
}

void ReloadCommandTest::watchReloads()
{
    start(words("--watch"));
    write(agents({web, api}));
    QVERIFY(m_up->waitForError("reload.json changed)"));
    QVERIFY(m_up->waitForError("reloaded: 1 added, 1 unchanged"));
    write(agents({api}));
    QVERIFY(m_up->waitForError("reloaded: 1 removed, 1 unchanged"));
}

void ReloadCommandTest::manualAgentWaitsForStart()
{
    const QByteArray manual = QByteArray(api).replace(
        "\"kind\": \"process\"", "\"kind\": \"process\", \"start\": \"manual\"");
    write(agents({web, manual.constData()}));
    start();
    QCOMPARE(agent(QStringLiteral("api"))[QLatin1String("state")], QStringLiteral("Stopped"));
    // The host does not exit while an agent may be started.
    CompletedRun stop(with(words("stop", "web")));
    QVERIFY(m_up->waitForOutput("agent.stopped"));
    CompletedRun begin(with(words("start", "api")));
    QVERIFY(waitUntil([this] { return pidOf("api") != 0; }));
}

REKINDLE_TEST(ReloadCommandTest)
#include "reloadcommandtest.moc"

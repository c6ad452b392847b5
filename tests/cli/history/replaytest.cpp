// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commandrun.h"
#include "testprogram.h"

#include <QSqlDatabase>
#include <QSqlQuery>

#include <csignal>

using namespace Rekindle;

/// `rekindle replay` with stores of real hosts.
class ReplayTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_store = m_folder.filePath(QStringLiteral("%1.sqlite").arg(++m_stores)); }

    void exitedHostIsIdentical();
    void killedHostIsIdentical();
    void namesChangedDecision();
    void needsRecordedInputs();
    void findsStoreOfConfiguration();
    void namesRetentionOfInputs();
    void rejectsOtherFiles();
    void rejectsComputedRows();
    void endsAtCursor();
    void rejectsCursors();
    void ownSettingsMakeNoDifference();
    void otherSettingsAreCompared();
    void namesMissingAgents();
    void rejectsInvalidSettings();
    void comparesOnlyIdenticalRuns();

private:
    /// A configuration of the agents of writeCrashes() with this number of retries.
    [[nodiscard]] QString withRetries(const QJsonValue &retries,
                                      const QList<QStringList> &agents = {words("exit", "7"),
                                                                          words("exit", "0")}) const
    {
        const QJsonObject policy{{QStringLiteral("type"), QStringLiteral("linear")},
                                 {QStringLiteral("initialDelay"), QStringLiteral("20ms")},
                                 {QStringLiteral("maxRetries"), retries}};
        return writeFile(m_folder.path(), QStringLiteral("retries.json"),
                         configuration(agents, policy));
    }

    /// The cursor of the n-th event of this type, from 0.
    [[nodiscard]] QString cursorOf(const char *type, qsizetype n = 0) const
    {
        CompletedRun history(words("history", "--store", m_store, "--json", "--limit", "1000"));
        for (const QJsonObject &event : jsonLines(history.output())) {
            const QString source = event[QLatin1String("source")].toString();
            if (event[QLatin1String("type")].toString().contains(QLatin1String(type)) && n-- == 0)
                return source.mid(int(sizeof("urn:uuid:") - 1)) + u':'
                    + event[QLatin1String("id")].toString();
        }
        return {};
    }

    [[nodiscard]] QJsonObject compared(const QStringList &options) const
    {
        CompletedRun run(words("replay", m_store, "--json") + options);
        return jsonLines(run.output()).value(0);
    }

    /// The figures of the first agent.
    [[nodiscard]] static QJsonObject agentIn(const QJsonObject &result, const char *settings)
    {
        return result[QLatin1String(settings)][QLatin1String("agents")][0].toObject();
    }

    // An agent that crashes until it is given up.
    void writeCrashes(const QStringList &options = {})
    {
        CompletedRun run(words("up", withRetries(2), "--store", m_store) + options, 1);
    }

    [[nodiscard]] QStringList hanging() const
    {
        const QJsonObject policy{{QStringLiteral("initialDelay"), QStringLiteral("1ms")},
                                 {QStringLiteral("maxRetries"), QStringLiteral("unlimited")},
                                 {QStringLiteral("circuitBreaker"), QStringLiteral("off")}};
        return words("up",
                     writeFile(m_folder.path(), QStringLiteral("hanging.json"),
                               configuration({words("hang"), words("hang")}, policy)),
                     "--state", m_store + QLatin1String(".state"), "--log", "json", "--store",
                     m_store);
    }

    /// Kills each agent as soon as it is ready, until `count` have been killed.
    static void killAgents(StartedRun &run, int count)
    {
        QSet<qint64> killed;
        QVERIFY(waitUntil([&] {
            for (const pid_t pid : startedIn(run.wholeLines())) {
                if (pid > 1 && killed.size() < count && !killed.contains(pid)) {
                    killed.insert(pid);
                    ::kill(pid, SIGKILL);
                }
            }
            return killed.size() == count && run.wholeLines().count("agent.failed") == count
                && run.wholeLines().count("agent.ready") > count;
        }));
    }

    void execute(const QString &statement) const
    {
        {
            QSqlDatabase database =
                QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("own"));
            database.setDatabaseName(m_store);
            QVERIFY(database.open());
            for (const QString &each : statement.split(u';')) {
                QSqlQuery query(database);
                QVERIFY2(query.exec(each), qPrintable(each));
            }
        }
        QSqlDatabase::removeDatabase(QStringLiteral("own"));
    }

    [[nodiscard]] qsizetype failuresInStore() const
    {
        CommandRun history(words("history", "--store", m_store));
        return history.complete() == 0 ? history.output().count(" failed (") : 0;
    }

    void isIdentical() const
    {
        CompletedRun run(words("replay", m_store));
        const QRegularExpression expected(
            QStringLiteral("^[0-9,]+ inputs, [0-9,]+ events, [0-9,]+ decisions?: identical\n$"));
        QVERIFY2(expected.match(QString::fromUtf8(run.output())).hasMatch(),
                 run.output().constData());
    }

    QTemporaryDir m_folder;
    QString m_store;
    int m_stores = 0;
};

void ReplayTest::exitedHostIsIdentical()
{
    writeCrashes();
    isIdentical();
    CompletedRun json(words("replay", m_store, "--json"));
    const QJsonObject result = jsonLines(json.output()).value(0);
    QCOMPARE(result[QLatin1String("identical")], QJsonValue(true));
    QCOMPARE(result[QLatin1String("decisions")].toInt(), 3);
    CompletedRun one(words("replay", m_store, "--agent", "b", "--json"));
    const QJsonObject part = jsonLines(one.output()).value(0);
    QCOMPARE(part[QLatin1String("decisions")].toInt(), 0);
    QVERIFY(part[QLatin1String("inputs")].toInt() > 2);
    QVERIFY(part[QLatin1String("inputs")].toInt() < result[QLatin1String("inputs")].toInt());
    CompletedRun unknown(words("replay", m_store, "--agent", "x"), 1);
    VERIFY_CONTAINS(unknown.error(), "no agent named x; known agents: ");
}

void ReplayTest::findsStoreOfConfiguration()
{
    const QString file = withRetries(1);
    CompletedRun up(words("up", file, "--state", "off", "--log", "json"), 1);
    CompletedRun replay(words("replay", "--config", file));
    CompletedRun named(words("replay", "--store", m_store, "--config", file), 64);
    CompletedRun missing(words("replay", "--config", "/no/such.json"), 66);
    VERIFY_CONTAINS(missing.error(), "--config: /no/such.json does not exist");
}

// The next host resumes from the state of the killed one.
void ReplayTest::killedHostIsIdentical()
{
    for (int i = 0; i < 2; ++i) {
        StartedRun run(hanging());
        killAgents(run, 6);
        // The latest rows are not in the store yet.
        QVERIFY(waitUntil([&] { return failuresInStore() > 6 * i + 2; }));
        static_cast<void>(run.endBy(SIGKILL));
        isIdentical();
    }
    StartedRun last(hanging());
    killAgents(last, 2);
    QCOMPARE(last.endBy(SIGTERM), 0);
    isIdentical();
    const QList<QJsonObject> runs = jsonLines(
        CompletedRun(words("history", "--store", m_store, "--json", "--limit", "1000")).output());
    const QString first =
        runs.value(0)[QLatin1String("source")].toString().mid(int(sizeof("urn:uuid:") - 1));
    CompletedRun older(words("replay", m_store, "--run", first));
    VERIFY_CONTAINS(older.output(), ": identical\n");
}

void ReplayTest::namesChangedDecision()
{
    writeCrashes();
    execute(
        QStringLiteral("DROP TRIGGER audit_unchanged;"
                       "UPDATE audit SET data = replace(data, '\"rule\":\"AttemptsExhausted\"', "
                       "'\"rule\":\"WindowExceeded\"') WHERE kind = 'decision'"));
    CompletedRun run(words("replay", m_store), 1);
    const QRegularExpression expected(
        QStringLiteral(": different\ninput [0-9]+ \\(Failed of a\\): the decision differs\n"
                       "  rule: recorded WindowExceeded, now AttemptsExhausted\n$"));
    QVERIFY2(expected.match(QString::fromUtf8(run.output())).hasMatch(), run.output().constData());
    CompletedRun json(words("replay", m_store, "--json"), 1);
    const QJsonObject result = jsonLines(json.output()).value(0);
    QCOMPARE(result[QLatin1String("identical")], QJsonValue(false));
    QCOMPARE(result[QLatin1String("difference")][QLatin1String("replayedRule")].toString(),
             QStringLiteral("AttemptsExhausted"));
}

void ReplayTest::needsRecordedInputs()
{
    writeCrashes(words("--record", "off"));
    CompletedRun run(words("replay", m_store), 66);
    VERIFY_CONTAINS(run.error(), ": no inputs were recorded (--record off, or an older version)\n");
    CompletedRun other(words("replay", m_store, "--run", "x"), 66);
    VERIFY_CONTAINS(other.error(), ": no run has the id x; for the newest run, use --run ");
}

void ReplayTest::namesRetentionOfInputs()
{
    writeCrashes();
    execute(QStringLiteral("DELETE FROM inputs WHERE n < 4"));
    CompletedRun beginning(words("replay", m_store, "--json"), 66);
    VERIFY_CONTAINS(beginning.error(),
                    ": the beginning of the run was removed by retention (inputs from 1 to 3); a "
                    "run can be replayed only from its beginning\n");
    QCOMPARE(beginning.output(), QByteArray());
}

void ReplayTest::rejectsOtherFiles()
{
    const QString text = writeFile(m_folder.path(), QStringLiteral("text"), "not yours\n");
    CompletedRun run(words("replay", text), 66);
    CompletedRun none(words("replay", m_store), 66);
    VERIFY_CONTAINS(none.error(), QByteArray("no telemetry store at " + m_store.toUtf8() + "; "));
}

// The rows of such a file may be endless.
void ReplayTest::rejectsComputedRows()
{
    writeCrashes();
    const QString copy = m_store + QLatin1String(".view");
    QVERIFY(QFile::copy(m_store, copy));
    execute(
        QStringLiteral("ALTER TABLE inputs ADD COLUMN more TEXT AS (hex(zeroblob(100000000)))"));
    CompletedRun column(words("replay", m_store), 66);
    VERIFY_CONTAINS(column.error(),
                    "expected tables without computed values, found the table inputs\n");
    m_store = copy;
    execute(QStringLiteral(
        "DROP TABLE inputs;"
        "CREATE VIEW inputs AS WITH RECURSIVE all_rows(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM"
        " all_rows) SELECT n AS id, 1 AS run_id, n, 0 AS mono_ns, '' AS instance, '' AS agent,"
        " '' AS kind, 0 AS generation, 0.5 AS draw, '' AS data, 0 AS sum FROM all_rows"));
    CompletedRun view(words("replay", m_store), 66);
    VERIFY_CONTAINS(view.error(),
                    "expected tables without computed values, found the view inputs\n");
}

void ReplayTest::endsAtCursor()
{
    writeCrashes();
    const qsizetype all = compared({})[QLatin1String("inputs")].toInt();
    const QJsonObject part = compared(words("--until", cursorOf("agent.failed", 1)));
    QCOMPARE(part[QLatin1String("identical")], QJsonValue(true));
    QCOMPARE(part[QLatin1String("decisions")].toInt(), 2);
    QVERIFY(part[QLatin1String("inputs")].toInt() < all);
    // The run ends there for other settings, too.
    const QJsonObject changed = compared(
        words("--until", cursorOf("agent.failed", 1), "--with", withRetries(1), "--agent", "a"));
    QCOMPARE(agentIn(changed, "recorded")[QLatin1String("failures")].toInt(), 2);
    QVERIFY(agentIn(changed, "recorded")[QLatin1String("gaveUpAtMs")].isNull());
    QVERIFY(agentIn(changed, "changed")[QLatin1String("gaveUpAtMs")].isDouble());
}

void ReplayTest::rejectsCursors()
{
    writeCrashes();
    CompletedRun malformed(words("replay", m_store, "--until", "12"), 64);
    VERIFY_CONTAINS(malformed.error(), "a cursor of `rekindle events`, which is RUN:SEQ");
    const QString cursor = cursorOf("agent.failed");
    CompletedRun otherRun(words("replay", m_store, "--run", "x", "--until", cursor), 64);
    VERIFY_CONTAINS(
        otherRun.error(),
        QByteArray("--until: expected a cursor of run x, found " + cursor.toUtf8() + "\n"));
    CompletedRun unknown(words("replay", m_store, "--until", cursor + QLatin1String("000")), 1);
    VERIFY_CONTAINS(unknown.error(), " has no event ");
    CompletedRun noRun(words("replay", m_store, "--until", "x:1"), 66);
    VERIFY_CONTAINS(noRun.error(), ": no run has the id x; for the newest run, use --run ");
}

void ReplayTest::ownSettingsMakeNoDifference()
{
    writeCrashes();
    CompletedRun run(words("replay", m_store, "--with", withRetries(2)));
    VERIFY_CONTAINS(run.output(),
                    " decisions: identical\nThe settings make no difference\n\nAGENT");
    const QJsonObject result = compared(words("--with", withRetries(2)));
    QVERIFY(result[QLatin1String("difference")].isNull());
    QCOMPARE(result[QLatin1String("changed")], result[QLatin1String("recorded")]);
    QCOMPARE(agentIn(result, "recorded")[QLatin1String("starts")].toInt(), 3);
}

void ReplayTest::otherSettingsAreCompared()
{
    writeCrashes();
    const QStringList fewer = words("--with", withRetries(1));
    const QJsonObject result = compared(fewer);
    const QJsonObject difference = result[QLatin1String("difference")].toObject();
    QCOMPARE(difference[QLatin1String("agent")].toString(), QStringLiteral("a"));
    QCOMPARE(difference[QLatin1String("input")].toString(), QStringLiteral("Failed"));
    // The last event before the second failure of `a`, and the one that differs.
    const QString cursor = difference[QLatin1String("cursor")].toString();
    const auto numberIn = [](const QString &text) { return text.section(u':', 1).toInt(); };
    QCOMPARE(numberIn(cursor) + 1, numberIn(cursorOf("agent.failed", 1)));
    QCOMPARE(agentIn(result, "recorded")[QLatin1String("starts")].toInt(), 3);
    QCOMPARE(agentIn(result, "changed")[QLatin1String("starts")].toInt(), 2);

    CompletedRun text(words("replay", m_store) + fewer);
    VERIFY_CONTAINS(text.output(), "\nExact before input ");
    VERIFY_CONTAINS(text.output(), QByteArray("), cursor " + cursor.toUtf8() + "\n"));
    VERIFY_CONTAINS(text.output(), "\na      recorded  3       3 ");
    VERIFY_CONTAINS(text.output(), "\na      changed   2       2 ");
    VERIFY_CONTAINS(text.output(), "\nRecorded, ");
    VERIFY_CONTAINS(text.output(), "\nChanged, ");

    const QJsonObject more = compared(words("--with", withRetries(4), "--for", "1m"));
    QCOMPARE(more[QLatin1String("repeated")].toArray(), QJsonArray{QStringLiteral("a")});
    QCOMPARE(more[QLatin1String("changed")][QLatin1String("lengthMs")].toDouble(), 60'000.0);
    const QJsonObject none = compared(words("--policy", "none"));
    QCOMPARE(agentIn(none, "changed")[QLatin1String("starts")].toInt(), 1);
    const QJsonObject core = compared(words("--with", withRetries(2), "--tier", "Core"));
    QCOMPARE(agentIn(core, "changed")[QLatin1String("starts")].toInt(), 1);
}

void ReplayTest::namesMissingAgents()
{
    writeCrashes();
    CompletedRun fewer(words("replay", m_store, "--with", withRetries(1, {words("exit", "7")})));
    VERIFY_CONTAINS(fewer.output(), "\nNot in the configuration: b\n");
    VERIFY_CONTAINS(fewer.output(), "\nb      recorded  1 ");
    QVERIFY(!fewer.output().contains("\nb      changed"));
    CompletedRun more(words("replay", m_store, "--with",
                            withRetries(1, {words("hang"), words("hang"), words("hang")})));
    VERIFY_CONTAINS(more.output(), "\nNot in the run, and not simulated: c\n");
    const QJsonObject one = compared(words("--agent", "a", "--with", withRetries(1)));
    QCOMPARE(one[QLatin1String("notRecorded")].toArray(), QJsonArray());
    QCOMPARE(one[QLatin1String("recorded")][QLatin1String("agents")].toArray().size(), 1);
}

void ReplayTest::rejectsInvalidSettings()
{
    writeCrashes();
    CompletedRun both(words("replay", m_store, "--with", "a.json", "--policy", "none"), 64);
    CompletedRun length(words("replay", m_store, "--for", "1h"), 64);
    VERIFY_CONTAINS(length.error(), "--for: requires --with or --policy\n");
    CompletedRun unknown(words("replay", m_store, "--policy", "patent"), 78);
    VERIFY_CONTAINS(unknown.error(), "rekindle: --policy: ");
    const QString path =
        writeFile(m_folder.path(), QStringLiteral("invalid.json"), R"({"agents": [{"name": 1}]})");
    CompletedRun invalid(words("replay", m_store, "--with", path), 78);
    VERIFY_CONTAINS(invalid.error(), QByteArray(path.toUtf8() + ":1:"));
}

void ReplayTest::comparesOnlyIdenticalRuns()
{
    writeCrashes();
    execute(QStringLiteral("UPDATE inputs SET draw = 0.5 WHERE n = 4"));
    CompletedRun run(words("replay", m_store, "--policy", "none"), 1);
    VERIFY_CONTAINS(run.output(), ": identical up to this point\ninput 4: the row was changed\n");
    QVERIFY(!run.output().contains("AGENT"));
}

REKINDLE_TEST(ReplayTest)
#include "replaytest.moc"

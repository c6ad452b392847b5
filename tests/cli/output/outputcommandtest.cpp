// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commandrun.h"
#include "testprogram.h"

using namespace Rekindle;

/// Output lines of processes as events of `rekindle up`.
class OutputCommandTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void outputEventsPrecedeTheFailure();

private:
    /// Two agents that write the same and fail; the lines of the first are events.
    [[nodiscard]] QString config() const;
    [[nodiscard]] QString path(const char *name) const
    {
        return m_folder.filePath(QLatin1String(name));
    }

    QTemporaryDir m_folder;
};

QString OutputCommandTest::config() const
{
    const QStringList script = words("out", "one", "err", "two", "partial", "three", "exit", "1");
    QJsonObject json = QJsonDocument::fromJson(
                           configuration({script, script}, {{QStringLiteral("maxRetries"), 0}}))
                           .object();
    QJsonArray agents = json[QLatin1String("agents")].toArray();
    QJsonObject first = agents[0].toObject();
    first[QLatin1String("outputEvents")] = true;
    agents[0] = first;
    json[QLatin1String("agents")] = agents;
    return writeFile(m_folder.path(), QStringLiteral("agents.json"), QJsonDocument(json).toJson());
}

void OutputCommandTest::outputEventsPrecedeTheFailure()
{
    CompletedRun run(words("up", config(), "--store", "off", "--events", path("events")), 1);
    QCOMPARE(eventTypes(run.output(), QStringLiteral("b")).count(QStringLiteral("agent.output")),
             0);
    const QStringList types = eventTypes(run.output(), QStringLiteral("a"));
    QCOMPARE(types.count(QStringLiteral("agent.output")), 3);
    QVERIFY(types.lastIndexOf(QStringLiteral("agent.output"))
            < types.indexOf(QStringLiteral("agent.failed")));
    QVERIFY(types.indexOf(QStringLiteral("agent.started"))
            < types.indexOf(QStringLiteral("agent.output")));

    QStringList lines;
    qint64 sequence = 0;
    for (const QJsonObject &event : jsonLines(run.output())) {
        const QJsonObject data = event[QLatin1String("data")].toObject();
        QCOMPARE(data[QLatin1String("seq")].toInteger(), ++sequence);
        if (event[QLatin1String("type")] == QLatin1String("rekindle.agent.output.v1"))
            lines.append(data[QLatin1String("stream")].toString() + u':'
                         + data[QLatin1String("line")].toString());
    }
    lines.sort();
    QCOMPARE(lines, words("stderr:two", "stdout:one", "stdout:three"));
    QCOMPARE(readFile(path("events")), run.output());
    // They are shown as usual.
    QVERIFY(run.error().contains("a| one\n") && run.error().contains("b| one\n"));
}

REKINDLE_TEST(OutputCommandTest)
#include "outputcommandtest.moc"

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commandrun.h"
#include "testprogram.h"

#include <csignal>

using namespace Rekindle;

/// The quick start of README.md and its picture.
class QuickStartTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void restartsByPolicyUntilTheLicenseExpires();
};

namespace {

bool hasFailedWithoutLicense(const QByteArray &lines)
{
    const QStringList types = eventTypes(lines, QStringLiteral("thinker"));
    const qsizetype end = types.indexOf(QLatin1String("policy.downgraded"));
    return end >= 0 && types.mid(end).contains(QLatin1String("agent.failed"));
}

/// Whether the last process of the thinker still runs.
bool isThinkerAlive(const QByteArray &lines)
{
    const QList<pid_t> processes = startedIn(lines, QStringLiteral("thinker"));
    return !processes.isEmpty() && ::kill(processes.constLast(), 0) == 0;
}

QByteArray timelineOf(const QByteArray &lines)
{
    QProcess draw;
    draw.start(QStringLiteral(REKINDLE_SOURCE "/scripts/draw-timeline"), QStringList());
    draw.write(lines);
    draw.closeWriteChannel();
    return draw.waitForFinished() && draw.exitCode() == 0 ? draw.readAllStandardOutput()
                                                          : QByteArray();
}

/// The classes of the shapes in each agent's row.
QMap<QString, QSet<QString>> shapesOf(const QByteArray &picture)
{
    QMap<QString, QSet<QString>> shapes;
    QString agent;
    for (QXmlStreamReader xml(picture); !xml.atEnd(); xml.readNext()) {
        if (xml.isEndElement() && xml.name() == QLatin1String("g"))
            agent.clear();
        if (!xml.isStartElement())
            continue;
        const QString shape = xml.attributes().value(QLatin1String("class")).toString();
        if (shape == QLatin1String("agent"))
            agent = xml.attributes().value(QLatin1String("id")).toString();
        else if (!agent.isEmpty() && !shape.isEmpty())
            shapes[agent].insert(shape);
    }
    return shapes;
}

} // namespace

void QuickStartTest::restartsByPolicyUntilTheLicenseExpires()
{
    // A shorter trial than that of scripts/run.
    const QTemporaryDir folder;
    CommandRun run(words(REKINDLE_COMMAND, folder.path(), "16s", "--for", "2m"));
    run.setProgram(QStringLiteral(REKINDLE_SOURCE "/examples/1-quickstart/show.sh"));
    QVERIFY(run.begin());
    // Until the thinker hangs and is not restarted, which takes longer on a slow machine.
    QTRY_VERIFY_WITH_TIMEOUT(hasFailedWithoutLicense(run.wholeLines()), 110'000);
    // A stop before the hung process has exited would be reported as a stop.
    QTRY_VERIFY(!isThinkerAlive(run.wholeLines()));
    QCOMPARE(run.endBy(SIGINT), 0);
    const QByteArray lines = run.output();
    const auto typesOf = [&](const char *agent) { return eventTypes(lines, asText(agent)); };
    QVERIFY(typesOf("web").contains(QLatin1String("agent.ready")));
    QCOMPARE(typesOf("worker").count(QLatin1String("agent.failed")), 2);
    QCOMPARE(typesOf("worker").last(), QStringLiteral("agent.stopped"));
    QVERIFY(typesOf("reloader").contains(QLatin1String("restart.requested")));
    QCOMPARE(typesOf("once"), words("agent.started", "agent.stopped", "policy.downgraded"));

    QCOMPARE(eventTexts(lines, "circuit.changed", "newState").mid(0, 3),
             words("Open", "HalfOpen", "Open"));

    // The hung thinker is replaced once, and not again after the trial.
    const QStringList reasons =
        eventTexts(lines, "agent.failed", "reason", QStringLiteral("thinker"));
    QVERIFY2(reasons.size() >= 2, lines.constData());
    QCOMPARE(reasons.count(QLatin1String("HealthCheckFailed")), reasons.size());
    QCOMPARE(typesOf("thinker").count(QLatin1String("agent.ready")), reasons.size());
    QCOMPARE(typesOf("thinker").count(QLatin1String("restart.scheduled")), reasons.size() - 1);
    QCOMPARE(typesOf("thinker").last(), QStringLiteral("restart.declined"));
    // The reader starts after the web server, and again after each restart of the thinker.
    QVERIFY(lines.indexOf("agent.ready.v1\",\"subject\":\"agent/web\"")
            < lines.indexOf("agent.started.v1\",\"subject\":\"agent/reader\""));
    QCOMPARE(typesOf("reader").count(QLatin1String("agent.started")), reasons.size());
    QVERIFY(typesOf("thinker").contains(QLatin1String("group.restarting")));
    for (const char *agent : {"web", "worker", "hopeless", "thinker", "reader", "reloader", "once"})
        QCOMPARE(typesOf(agent).count(QLatin1String("policy.downgraded")), 1);
    const QString error = QString::fromUtf8(run.error());
    QVERIFY2(error.contains(QLatin1String("\nrekindle: license: Expired: it expired at "))
                 && error.contains(QLatin1String("; the tier is Core\n")),
             qPrintable(error));
    QVERIFY2(error.endsWith(QLatin1String("\nrekindle: not running at the stop: hopeless (Gated), "
                                          "thinker (Gated)\n")),
             qPrintable(error));
    QVERIFY2(!error.contains(QLatin1String("Traceback")), qPrintable(error));

    const auto happened = shapesOf(timelineOf(lines));
    const auto shown = shapesOf(readFile(QStringLiteral(REKINDLE_SOURCE "/docs/quickstart.svg")));
    QCOMPARE(happened.keys(), shown.keys());
    for (auto row = shown.begin(); row != shown.end(); ++row) {
        const QSet<QString> missing = row.value() - happened[row.key()];
        QVERIFY2(missing.isEmpty(), qPrintable(row.key() + u": " + missing.values().join(u' ')));
    }
}

REKINDLE_TEST(QuickStartTest)
#include "quickstarttest.moc"

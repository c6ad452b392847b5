// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commandrun.h"
#include "cli/fifo.h"
#include "httpget.h"
#include "testprogram.h"
#include "testrow.h"

#include <QTcpServer>

#include <csignal>

using namespace Rekindle;

/// `rekindle up --metrics` with an HTTP client.
class MetricsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void servesMetrics();
    void examplesOfThePage();
    void reportsPortInUse();
    void countsDroppedEvents();
    void countsEvaluatorFaults();
    void acceptsAddresses_data();
    void acceptsAddresses();

private:
    QString config(const QList<QStringList> &agents, const QJsonObject &policy = {})
    {
        return writeFile(m_folder.path(), QStringLiteral("%1.json").arg(++m_files),
                         configuration(agents, policy));
    }

    QTemporaryDir m_folder;
    int m_files = 0;
};

namespace {

QJsonObject twice()
{
    return {{QStringLiteral("type"), QStringLiteral("immediate")},
            {QStringLiteral("maxRetries"), 2},
            {QStringLiteral("circuitBreaker"), QStringLiteral("off")}};
}

} // namespace

void MetricsTest::servesMetrics()
{
    StartedRun run(words("up", config({words("hang"), words("exit", "1")}, twice()), "--metrics",
                         "127.0.0.1:0"));
    QVERIFY(run.waitForError("/metrics\n"));
    const QString url = metricsUrlIn(run.error());
    QVERIFY2(url.startsWith(QLatin1String("http://127.0.0.1:")), run.error().constData());
    QVERIFY(run.waitForOutput("restart.exhausted"));
    const HttpAnswer metrics = httpGet(url + QStringLiteral("/metrics"));
    QCOMPARE(metrics.status, 200);
    for (const char *line : {"restart_attempts_total{agent=\"b\",policy=\"immediate\"} 2\n",
                             "restart_exhausted_total{agent=\"b\",reason=\"attempts\"} 1\n",
                             "agent_state{agent=\"a\",state=\"running\"} 1\n",
                             "agent_state{agent=\"b\",state=\"exhausted\"} 1\n"})
        VERIFY_CONTAINS(metrics.body, line);
    QCOMPARE(httpGet(url + QStringLiteral("/healthz")).status, 200);
    const HttpAnswer ready = httpGet(url + QStringLiteral("/readyz"));
    QCOMPARE(ready.status, 503);
    QCOMPARE(ready.body, QByteArray("not ready:\nb: Exhausted\n"));
    QCOMPARE(httpGet(url + QStringLiteral("/")).status, 404);
    QCOMPARE(run.endBy(SIGTERM), 0);
}

// The response to each `curl` line of docs/metrics.md contains the lines below it.
void MetricsTest::examplesOfThePage()
{
    const QByteArray page = readFile(QStringLiteral(REKINDLE_SOURCE "/docs/metrics.md"));
    const qsizetype begin = page.indexOf("<!-- example -->");
    const qsizetype end = page.indexOf("```\n", page.indexOf("```", begin) + 4);
    QVERIFY(begin >= 0 && end > begin);
    StartedRun run(words("up", config({words("exit", "1"), words("hang")}, hourlyRetries()),
                         "--metrics", "127.0.0.1:0"));
    QVERIFY(run.waitForError("/metrics\n"));
    QVERIFY(run.waitForOutput("restart.scheduled"));
    const QString url = metricsUrlIn(run.error());
    QTRY_COMPARE_WITH_TIMEOUT(httpGet(url + QStringLiteral("/readyz")).body.count('\n'), 2, 30'000);
    QByteArray body;
    int asked = 0;
    int compared = 0;
    for (const QByteArray &line : page.mid(begin, end - begin).split('\n')) {
        if (line.startsWith("$ curl -s ")) {
            QString address = QString::fromUtf8(line.mid(10));
            body = httpGet(address.replace(QStringLiteral("http://127.0.0.1:9464"), url)).body;
            ++asked;
        } else if (asked > 0 && !line.isEmpty() && !line.startsWith("```")) {
            const QByteArray expected = line + '\n';
            const QByteArray complaint = expected + "is missing in:\n" + body;
            QVERIFY2(body.contains(expected), complaint.constData());
            ++compared;
        }
    }
    QCOMPARE(asked, 3);
    QVERIFY(compared >= 5);
    QCOMPARE(run.endBy(SIGTERM), 0);
}

void MetricsTest::reportsPortInUse()
{
    QTcpServer other;
    QVERIFY(other.listen(QHostAddress::LocalHost));
    const QString file = m_folder.filePath(QStringLiteral("started"));
    CompletedRun run(words("up", config({words("append", file, "exit", "0")}), "--metrics",
                           QStringLiteral("127.0.0.1:%1").arg(other.serverPort())),
                     69);
    const QByteArray port = QByteArray::number(other.serverPort());
    QCOMPARE(run.error(),
             QByteArray("rekindle: metrics: cannot listen on 127.0.0.1:" + port
                        + ": The bound address is already in use\n"));
    QVERIFY(!QFile::exists(file)); // nothing was started
}

// More events than fit into the pipe and the channel; the file has all of them.
void MetricsTest::countsDroppedEvents()
{
    QJsonObject policy = twice();
    policy[QLatin1String("maxRetries")] = 1000;
    const QString file = m_folder.filePath(QStringLiteral("events"));
    Fifo fifo(m_folder.filePath(QStringLiteral("stdout")));
    CommandRun run(words("up", config({words("hang"), words("exit", "1")}, policy), "--store",
                         "off", "--events", file, "--metrics", "127.0.0.1:0"));
    run.setStandardOutputFile(fifo.path());
    QVERIFY(run.begin());
    QVERIFY(run.waitForError("/metrics\n"));
    const QString url = metricsUrlIn(run.error()) + QStringLiteral("/metrics");
    const QByteArray lost = "event_dropped_total{subscriber=\"stdout\"} ";
    const QByteArray nothing = lost + "0\n";
    QVERIFY(httpGet(url).body.contains(lost));
    const auto isLost = [&] {
        const QByteArray body = httpGet(url).body;
        return body.contains(lost) && !body.contains(nothing);
    };
    QVERIFY(waitUntil(isLost));
    QVERIFY(httpGet(url).body.contains("event_dropped_total{subscriber=\"events\"} 0\n"));
    run.signal(SIGTERM);
    QVERIFY(fifo.takeSlowly(run));
    QCOMPARE(run.end(), 0);
}

// A plug-in throws until it is quarantined; each failure still has one decision.
void MetricsTest::countsEvaluatorFaults()
{
#ifdef REKINDLE_TEST_PLUGINS
    const QJsonObject chaos{{QStringLiteral("id"), QStringLiteral("chaos")},
                            {QStringLiteral("parameters"),
                             QJsonObject{{QStringLiteral("mode"), QStringLiteral("throws")}}}};
    const QJsonObject policy{{QStringLiteral("type"), QStringLiteral("custom")},
                             {QStringLiteral("initialDelay"), QStringLiteral("10ms")},
                             {QStringLiteral("maxRetries"), 4},
                             {QStringLiteral("circuitBreaker"), QStringLiteral("off")},
                             {QStringLiteral("evaluator"), chaos}};
    StartedRun run(words("up", config({words("hang"), words("exit", "3")}, policy), "--plugins",
                         REKINDLE_TEST_PLUGINS, "--metrics", "127.0.0.1:0"));
    QVERIFY(run.waitForError("/metrics\n"));
    QVERIFY(run.waitForOutput("restart.exhausted"));
    const HttpAnswer metrics = httpGet(metricsUrlIn(run.error()) + QStringLiteral("/metrics"));
    for (const char *line : {"evaluator_faults_total{evaluator=\"chaos\"} 3\n",
                             "evaluator_quarantines_total{evaluator=\"chaos\"} 1\n",
                             "restart_decisions_total{rule=\"restart\"} 4\n",
                             "restart_decisions_total{rule=\"attempts_exhausted\"} 1\n"})
        VERIFY_CONTAINS(metrics.body, line);
    QCOMPARE(run.endBy(SIGTERM), 0);
#else
    QSKIP("built without plug-ins");
#endif
}

void MetricsTest::acceptsAddresses_data()
{
    const Rows<QString, QString> row("address", "listensOn");
    row("127.0.0.1:0", "http://127.0.0.1:");
    row("0", "http://127.0.0.1:");
    row("localhost:0", "http://127.0.0.1:");
    row("127.0.0.2:0", "http://127.0.0.2:");
    row("0.0.0.0:0", "http://0.0.0.0:");
    row("127.0.0.1", "");
    row("127.0.0.1:", "");
    row("127.0.0.1:65536", "");
    row("127.0.0.1:-1", "");
    row("127.0.0.1:+1", "");
    row("127.0.0.1: 1", "");
    row(":0", "");
    row("example.org:0", "");
    row("::1:0", "");
    row("[127.0.0.1]:0", "");
    row("256.0.0.1:0", "");
}

void MetricsTest::acceptsAddresses()
{
    QFETCH(const QString, address);
    QFETCH(const QString, listensOn);
    CompletedRun run(words("up", config({words("exit", "0")}), "--metrics", address),
                     listensOn.isEmpty() ? 64 : 0);
    if (listensOn.isEmpty())
        VERIFY_CONTAINS(run.error(), "such as 127.0.0.1:9464");
    else
        QVERIFY2(metricsUrlIn(run.error()).startsWith(listensOn), run.error().constData());
    QCOMPARE(run.error().contains("warning: anyone who can reach 0.0.0.0 can read the metrics and "
                                  "the names of all agents and tools without authentication"),
             address.startsWith(QLatin1String("0.0.0.0")));
}

REKINDLE_TEST(MetricsTest)
#include "metricstest.moc"

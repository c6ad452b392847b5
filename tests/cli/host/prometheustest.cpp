// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/mcp/editor.h"
#include "httpget.h"
#include "testprogram.h"

#include <QTcpServer>

#include <algorithm>
#include <csignal>
#include <utility>

using namespace Rekindle;

/// A Prometheus server scrapes `rekindle up` and `rekindle mcp`.
class PrometheusTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void scrapes();

private:
    static void asksWhatThePageAsks(const QString &prometheus);
};

namespace {

QJsonObject answerAt(const QString &url)
{
    return QJsonDocument::fromJson(httpGet(url).body).object();
}

QJsonValue dataAt(const QString &url) { return answerAt(url)[QLatin1String("data")]; }

QString urlOf(const QString &prometheus, const QString &query)
{
    const QString encoded = QString::fromLatin1(QUrl::toPercentEncoding(query));
    return prometheus + QStringLiteral("/api/v1/query?query=") + encoded;
}

/// The lines of the ```promql blocks of docs/metrics.md.
QStringList questionsOfThePage()
{
    const QString page =
        QString::fromUtf8(readFile(QStringLiteral(REKINDLE_SOURCE "/docs/metrics.md")));
    const QRegularExpression block(QStringLiteral("```promql\n(.*?)\n```"),
                                   QRegularExpression::DotMatchesEverythingOption);
    QStringList questions;
    for (auto match = block.globalMatch(page); match.hasNext();)
        questions += match.next().captured(1).split(u'\n');
    return questions;
}

/// The value of a query with one result, or an empty text.
QString answerTo(const QString &prometheus, const QString &query)
{
    const QJsonValue data = dataAt(urlOf(prometheus, query));
    const QJsonArray results = data[QLatin1String("result")].toArray();
    return results.size() == 1 ? results[0][QLatin1String("value")][1].toString() : QString();
}

// Prometheus does not report the port that it selects for port 0.
quint16 freePort()
{
    QTcpServer probe;
    return probe.listen(QHostAddress::LocalHost) ? probe.serverPort() : quint16(0);
}

} // namespace

// Each query is valid and uses existing metrics.
void PrometheusTest::asksWhatThePageAsks(const QString &prometheus)
{
    QStringList names;
    for (const QJsonValue &name :
         dataAt(prometheus + QStringLiteral("/api/v1/label/__name__/values")).toArray())
        names.append(name.toString());
    const QRegularExpression metric(QStringLiteral("\\b\\w+_(total|seconds|bucket|state)\\b"));
    const QStringList questions = questionsOfThePage();
    QVERIFY(questions.size() > 5);
    for (const QString &question : questions) {
        const QJsonObject answer = answerAt(urlOf(prometheus, question));
        QVERIFY2(answer[QLatin1String("status")] == QLatin1String("success"),
                 qPrintable(question + answer[QLatin1String("error")].toString()));
        for (auto match = metric.globalMatch(question); match.hasNext();) {
            const QString name = match.next().captured();
            QVERIFY2(names.contains(name), qPrintable(question + QLatin1String(": ") + name));
        }
    }
    // The number of series of each agent, as on the page.
    const QJsonArray series =
        dataAt(urlOf(prometheus, questions.back())).toObject()[QLatin1String("result")].toArray();
    QVERIFY(!series.isEmpty());
    for (const QJsonValue &each : series)
        QVERIFY(each[QLatin1String("value")][1].toString().toInt() >= 28);
}

void PrometheusTest::scrapes()
{
    const QTemporaryDir folder;
    const QJsonObject policy{{QStringLiteral("type"), QStringLiteral("immediate")},
                             {QStringLiteral("maxRetries"), 3}};
    StartedRun up(words("up",
                        writeFile(folder.path(), QStringLiteral("agents.json"),
                                  configuration({words("hang"), words("exit", "1")}, policy)),
                        "--metrics", "127.0.0.1:0"));
    QVERIFY(up.waitForError("/metrics\n"));
    QVERIFY(up.waitForOutput("restart.exhausted"));
    const QByteArray target = QUrl(metricsUrlIn(up.error())).authority().toUtf8();

    Editor editor(words("--store", "off", "--metrics", "0", "--marker",
                        folder.filePath(QStringLiteral("marker"))),
                  words(REKINDLE_MCPSERVER));
    QVERIFY(editor.beginSession());
    QVERIFY(editor.waitForError("/metrics\n"));
    QVERIFY(!textOf(editor.use("1", "echo", R"({"message":"m"})")).isEmpty());
    const QByteArray mcpTarget = QUrl(metricsUrlIn(editor.error())).authority().toUtf8();

    const QString config = writeFile(folder.path(), QStringLiteral("prometheus.yml"),
                                     "global:\n"
                                     "  scrape_interval: 1s\n"
                                     "scrape_configs:\n"
                                     "  - job_name: rekindle\n"
                                     "    static_configs:\n"
                                     "      - targets: ['"
                                         + target + "', '" + mcpTarget + "']\n");
    const QString address = QStringLiteral("127.0.0.1:%1").arg(freePort());
    CommandRun prometheus({});
    prometheus.setProgram(QStringLiteral(PROMETHEUS));
    prometheus.setArguments({QStringLiteral("--config.file=%1").arg(config),
                             QStringLiteral("--storage.tsdb.path=%1/data").arg(folder.path()),
                             QStringLiteral("--web.listen-address=%1").arg(address)});
    QVERIFY(prometheus.begin());
    const QString api = QStringLiteral("http://") + address;
    const QString targets = api + QStringLiteral("/api/v1/targets");
    QJsonArray scraped;
    const bool areScraped = waitUntil([&] {
        scraped = dataAt(targets)[QLatin1String("activeTargets")].toArray();
        return scraped.size() == 2 && std::ranges::none_of(scraped, [](const QJsonValue &each) {
                   return each[QLatin1String("health")] == QLatin1String("unknown");
               });
    });
    QVERIFY2(areScraped, prometheus.error().constData());
    for (const QJsonValue &each : std::as_const(scraped)) {
        QCOMPARE(each[QLatin1String("lastError")].toString(), QString());
        QCOMPARE(each[QLatin1String("health")].toString(), QStringLiteral("up"));
    }

    const auto query = [&](const char *text) { return answerTo(api, QString::fromUtf8(text)); };
    QTRY_COMPARE_WITH_TIMEOUT(query("restart_attempts_total{agent=\"b\"}"), QStringLiteral("3"),
                              30'000);
    QCOMPARE(query("sum(restart_outcomes_total)"), QStringLiteral("3"));
    QCOMPARE(query("agent_state{agent=\"a\"} == 1"), QStringLiteral("1"));
    QCOMPARE(query("restart_delay_actual_seconds_count"), QStringLiteral("3"));
    QCOMPARE(query("sum(restart_exhausted_total)"), QStringLiteral("1"));

    asksWhatThePageAsks(api);

    QCOMPARE(prometheus.endBy(SIGTERM), 0);
    QCOMPARE(up.endBy(SIGTERM), 0);
    QCOMPARE(editor.endInput(), 0);
}

REKINDLE_TEST(PrometheusTest)
#include "prometheustest.moc"

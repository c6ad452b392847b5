// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "metrics/httprequest_p.h"
#include "testprogram.h"
#include "testrow.h"

using namespace Rekindle;

class HttpRequestTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsHeads_data();
    void readsHeads();
    void acceptsHosts_data();
    void acceptsHosts();
    void prefixesAreIncomplete();
    void rejectsTooLargeHeads_data();
    void rejectsTooLargeHeads();
    void survivesAnyByte();
};

namespace {

constexpr qsizetype limit = 8192;

// "GET /path", "400", or "more".
QByteArray outcomeOf(const QByteArray &bytes, qsizetype maxSize = limit)
{
    const HttpHead head = readHead(bytes, maxSize);
    if (!head.isComplete)
        return "more";
    return head.request ? head.request->method + ' ' + head.request->path
                        : statusLineOf(head.refusal).left(3);
}

} // namespace

void HttpRequestTest::readsHeads_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("outcome");
    const auto row = [](const QByteArray &bytes, const char *outcome) {
        QTest::newRow(bytes.toPercentEncoding().constData()) << bytes << QByteArray(outcome);
    };
    row("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n", "GET /metrics");
    row("GET /metrics HTTP/1.1\nHost: x\n\n", "GET /metrics");
    row("\r\nGET /metrics HTTP/1.1\r\nHost: x\r\n\r\n", "GET /metrics");
    row("GET /metrics HTTP/1.0\r\n\r\n", "GET /metrics");
    row("GET /metrics?name[]=up HTTP/1.1\r\nhOsT:x\r\n\r\n", "GET /metrics");
    row("GET http://host:1/readyz?x HTTP/1.1\r\nHost: x\r\n\r\n", "GET /readyz");
    row("GET http://host HTTP/1.1\r\nHost: x\r\n\r\n", "GET /");
    row("HEAD / HTTP/1.1\r\nHost: x\r\nX-Text: \t\xc3\xa4\r\n\r\nrest", "HEAD /");
    row("DELETE /metrics HTTP/1.1\r\nHost: x\r\n\r\n", "DELETE /metrics");
    row("GET /metrics HTTP/1.1\r\n\r\n", "400");                       // no host
    row("GET /metrics HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", "400"); // two
    row("GET /metrics HTTP/2.0\r\nHost: x\r\n\r\n", "505");
    row("GET /metrics HTTP/1x1\r\nHost: x\r\n\r\n", "400");
    row("GET /metrics http/1.1\r\nHost: x\r\n\r\n", "400");
    row("GET /metrics\r\n\r\n", "400");
    row("GET  /metrics HTTP/1.1\r\nHost: x\r\n\r\n", "400");
    row("GET /a b HTTP/1.1\r\nHost: x\r\n\r\n", "400");
    row("GET /a\tb HTTP/1.1\r\nHost: x\r\n\r\n", "400");
    row("GET metrics HTTP/1.1\r\nHost: x\r\n\r\n", "400");
    row("GET * HTTP/1.1\r\nHost: x\r\n\r\n", "400");
    row("G(T /metrics HTTP/1.1\r\nHost: x\r\n\r\n", "400");
    row(" GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n", "400");
    row("GET /metrics HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n", "400");
    row("GET /metrics HTTP/1.1\r\nHost: x\r\nName : y\r\n\r\n", "400");
    row("GET /metrics HTTP/1.1\r\nHost: x\r\n folded\r\n\r\n", "400");
    row("GET /metrics HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n", "400");
    row(QByteArray("GET /metrics HTTP/1.1\r\nHost: x\0y\r\n\r\n", 37), "400");
    row("GET /metrics HTTP/1.1\r\nHost: x\ry\r\n\r\n", "400");
    row("\x16\x03\x01\n\n", "400"); // TLS
    QTest::newRow("nothing") << QByteArray() << QByteArray("more");
    row("\r\n\r\n", "more");
    row("GET /metrics HTTP/1.1\r\nHost: x\r\n", "more");
}

void HttpRequestTest::readsHeads()
{
    QFETCH(const QByteArray, bytes);
    QTEST(outcomeOf(bytes), "outcome");
}

void HttpRequestTest::acceptsHosts_data()
{
    const Rows<QByteArray, bool> row("host", "isAccepted");
    for (const char *host :
         {"127.0.0.1", "127.0.0.1:9464", "[::1]", "[::1]:9464", "10.1.2.3:80", "localhost",
          "LocalHost:9464", "metrics.example", "METRICS.example:80", ""})
        row(host, QByteArray(host), true);
    for (const char *host :
         {"evil.example", "127.0.0.1.evil.example:9464", "localhost.evil.example",
          "metrics.example.evil", "[evil]", ":80", "x y"})
        row(host, QByteArray(host), false);
}

void HttpRequestTest::acceptsHosts()
{
    QFETCH(QByteArray, host);
    const HttpHead head = readHead("GET / HTTP/1.1\r\nHost: " + host + " \r\n\r\n", limit);
    QVERIFY(head.request);
    QCOMPARE(head.request->host, host);
    QTEST(isAcceptedHost(host, {QStringLiteral("metrics.example")}), "isAccepted");
}

void HttpRequestTest::prefixesAreIncomplete()
{
    const QByteArray whole = "GET /metrics HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n";
    for (qsizetype length = 0; length < whole.size(); ++length)
        QCOMPARE(outcomeOf(whole.left(length)), QByteArray("more"));
    QCOMPARE(outcomeOf(whole), QByteArray("GET /metrics"));
}

void HttpRequestTest::rejectsTooLargeHeads_data()
{
    const Rows<QByteArray> row("filling");
    row("one long line", "a");
    row("many lines", "X: y\r\n");
    row("empty lines", "\r\n");
}

void HttpRequestTest::rejectsTooLargeHeads()
{
    QFETCH(const QByteArray, filling);
    const QByteArray bytes = filling.repeated(limit).left(limit);
    QCOMPARE(outcomeOf(bytes.left(limit - 1)), QByteArray("more"));
    QCOMPARE(outcomeOf(bytes), QByteArray("431"));
    const QByteArray request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    QCOMPARE(outcomeOf(request, request.size()), QByteArray("GET /"));
    QCOMPARE(outcomeOf(request, request.size() - 1), QByteArray("431"));
}

void HttpRequestTest::survivesAnyByte()
{
    const QByteArray whole = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n";
    for (qsizetype place = 0; place < whole.size(); ++place) {
        for (int value = 0; value < 256; ++value) {
            QByteArray changed = whole;
            changed[place] = static_cast<char>(value);
            const HttpHead head = readHead(changed, limit);
            QVERIFY(!head.request || head.request->path.startsWith('/'));
        }
    }
}

REKINDLE_TEST(HttpRequestTest)
#include "httprequesttest.moc"

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// The six unit tests of S4 6.1 under their names, and what S4 leaves open.

#include "contains.h"
#include "mcp/host/markerfile_p.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/lifecycle/virtualscheduler.h>
#include <rekindle/mcp/serverrestart.h>

#include <optional>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

QStringList logged;

void keepLine(QtMsgType, const QMessageLogContext &context, const QString &text)
{
    if (qstrcmp(context.category, "rekindle.restart") == 0)
        logged.append(text);
}

} // namespace

class ServerRestartTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder.emplace();
        m_exit.reset();
        logged.clear();
    }

    void restartToolWritesMarker()
    {
        ServerRestart restart(m_scheduler, options());
        const UtcTime now = m_clock.utcNow() + 1ms; // later than every time of the caller
        QVERIFY(!restart.request(QStringLiteral("Load new code")).isError);
        QVERIFY(!m_exit); // the marker is written before the exit
        const MarkerReading reading = MarkerFile(marker()).read();
        QCOMPARE(reading.state, MarkerReading::State::Read);
        QCOMPARE(reading.marker.timestamp, now);
        QCOMPARE(reading.marker.reason, QStringLiteral("Load new code"));
        QCOMPARE(reading.marker.exitCode, 42);
        QCOMPARE(reading.marker.method, QStringLiteral("exit 42"));
    }

    void restartToolExitsWith42()
    {
        ServerRestart restart(m_scheduler, options());
        QSignalSpy last(&restart, &ServerRestart::aboutToExit);
        const ServerRestart::Answer answer = restart.request(QStringLiteral("why"));
        QCOMPARE(
            answer.text,
            QStringLiteral("Server restart scheduled (reason: why). Server will exit with code 42 "
                           "in 500ms, supervisor will spawn new instance."));
        QVERIFY(restart.isPending());
        m_scheduler.advance(500ms - 1ns);
        QVERIFY(!m_exit); // the response is being sent
        QCOMPARE(last.size(), 0);
        m_scheduler.advance(1ns);
        QCOMPARE(last.size(), 1);
        QCOMPARE(m_exit.value_or(0), 42);
    }

    void restartToolLogsAuditEvent()
    {
        const QtMessageHandler before = qInstallMessageHandler(keepLine);
        ServerRestart restart(m_scheduler, options());
        QSignalSpy requested(&restart, &ServerRestart::requested);
        const UtcTime now = m_clock.utcNow() + 1ms;
        (void)restart.request(QStringLiteral("Load new code"));
        m_scheduler.advance(1s);
        qInstallMessageHandler(before);
        QCOMPARE(
            logged,
            QStringList({QStringLiteral("[RST] server_restart_requested (reason: Load new code, "
                                        "timestamp: %1, exit code: 42, marker: %2)")
                             .arg(toRfc3339(now), marker()),
                         QStringLiteral("[RST] Server exiting for restart (exit code 42, reason: "
                                        "Load new code)")}));
        QCOMPARE(requested.size(), 1);
        QCOMPARE(requested[0][0].toString(), QStringLiteral("Load new code"));
        QCOMPARE(requested[0][1].value<UtcTime>(), now);
    }

    void verifyToolSucceedsWithValidMarker()
    {
        const ServerRestart restart(m_scheduler, options());
        leaveMarker(R"({"timestamp":"2026-01-13T22:35:00+00:00","reason":"r","exit_code":42})");
        const ServerRestart::Answer answer = restart.verify(QStringLiteral("2026-01-13T22:30:00Z"));
        QCOMPARE(
            answer.text,
            QStringLiteral("\u2705 Server restart verified: occurred at 2026-01-13T22:35:00.000Z "
                           "(reason: r)"));
        QVERIFY(!answer.isError);
    }

    void verifiesRestartOfTheSameMillisecond()
    {
        ServerRestart restart(m_scheduler, options());
        const QString since = toRfc3339(m_clock.utcNow());
        (void)restart.request(QStringLiteral("why"));
        QVERIFY(!restart.verify(since).isError);
    }

    void verifyToolFailsWithOldMarker()
    {
        const ServerRestart restart(m_scheduler, options());
        leaveMarker(R"({"timestamp":"2026-01-13T22:35:00Z","reason":"r","exit_code":42})");
        const QString same = QStringLiteral("2026-01-13T22:35:00Z"); // S4: after it, not at it
        for (const QString &since : {same, QStringLiteral("2026-01-13T23:00:00Z")}) {
            const ServerRestart::Answer answer = restart.verify(since);
            QVERIFY(answer.isError);
            QVERIFY2(
                answer.text.startsWith(QStringLiteral("\u274C No recent restart detected since ")),
                qPrintable(answer.text));
            QVERIFY(answer.text.endsWith(QStringLiteral("Last restart: 2026-01-13T22:35:00.000Z")));
        }
    }

    void verifyToolFailsWithoutMarker()
    {
        const ServerRestart restart(m_scheduler, options());
        const ServerRestart::Answer answer = restart.verify(QStringLiteral("2026-01-13T22:30:00Z"));
        QVERIFY(answer.isError);
        QCOMPARE(
            answer.text,
            QStringLiteral("\u274C No restart marker found at %1. No recent restarts detected.")
                .arg(marker()));
    }

    void verifyToolWarnsAboutOtherExitCodes()
    {
        const ServerRestart restart(m_scheduler, options());
        leaveMarker(R"({"timestamp":"2026-01-13T22:35:00Z","reason":"r","exit_code":1})");
        const ServerRestart::Answer answer = restart.verify(QStringLiteral("2026-01-13T22:30:00Z"));
        QVERIFY(!answer.isError);
        QCOMPARE(answer.text,
                 QStringLiteral(
                     "\u26A0\uFE0F Restart occurred but with unexpected exit code: 1 (expected "
                     "42). It occurred at 2026-01-13T22:35:00.000Z (reason: r)"));
    }

    void verifyToolRejectsInvalidMarkers()
    {
        const ServerRestart restart(m_scheduler, options());
        const QString since = QStringLiteral("2026-01-13T22:30:00Z");
        const QString unreadable =
            QStringLiteral(
                "\u274C Failed to read restart marker: %1: expected a JSON object, found ")
                .arg(marker());
        const QString invalid =
            QStringLiteral("\u274C Invalid restart marker schema. Required fields: timestamp, "
                           "reason, exit_code. %1: expected a valid ")
                .arg(marker());
        const QList<std::pair<QByteArray, QString>> markers{
            {"", unreadable + QLatin1String("an empty file")},
            {"\n", unreadable + QLatin1String("an empty file")},
            {"{\"timestamp\":\"2026", unreadable + QLatin1String("{\"timestamp\":\"2026")},
            {"notes\nof a user", unreadable + QLatin1String("notes\\u000aof a user")},
            {"[42]", unreadable + QLatin1String("[42]")},
            {R"({"timestamp":"2026-01-13T22:35:00Z","exit_code":42})",
             invalid + QLatin1String("reason, found none")},
            {R"({"timestamp":1768343700,"reason":"r","exit_code":42})",
             invalid + QLatin1String("timestamp, found 1768343700")},
            {R"({"timestamp":"2026-01-13T22:35:00Z","reason":"r","exit_code":"42"})",
             invalid + QLatin1String("exit_code, found \"42\"")},
        };
        for (const auto &[text, expected] : markers) {
            leaveMarker(text);
            QVERIFY(restart.verify(since).isError);
            QCOMPARE(restart.verify(since).text, expected);
        }
        QVERIFY(restart.verify(QStringLiteral("yesterday")).isError);
    }

    void ignoresSecondRequest()
    {
        ServerRestart restart(m_scheduler, options());
        QSignalSpy requested(&restart, &ServerRestart::requested);
        (void)restart.request(QStringLiteral("first"));
        m_scheduler.advance(300ms);
        const ServerRestart::Answer second = restart.request(QStringLiteral("second"));
        QCOMPARE(second.text,
                 QStringLiteral("The server is being restarted already (reason: first)."));
        QVERIFY(!second.isError);
        QCOMPARE(requested.size(), 1);
        QCOMPARE(MarkerFile(marker()).read().marker.reason, QStringLiteral("first"));
        m_scheduler.advance(200ms);
        QCOMPARE(m_exit.value_or(0), 42);
        m_exit.reset();
        m_scheduler.advance(1h);
        QVERIFY(!m_exit); // and no second exit
    }

    void reportsMarkerThatCannotBeWritten()
    {
        ServerRestartOptions wrong = options();
        wrong.markerFile = m_folder->filePath(QStringLiteral("none/marker"));
        ServerRestart restart(m_scheduler, wrong);
        QSignalSpy requested(&restart, &ServerRestart::requested);
        const ServerRestart::Answer answer = restart.request(QStringLiteral("why"));
        QVERIFY(answer.isError);
        VERIFY_CONTAINS(answer.text, wrong.markerFile);
        VERIFY_CONTAINS(answer.text, "No such file");
        QVERIFY(!restart.isPending());
        m_scheduler.advance(1h);
        QVERIFY(!m_exit);
        QCOMPARE(requested.size(), 0);
        // A later request succeeds.
        QVERIFY(QDir(m_folder->path()).mkdir(QStringLiteral("none")));
        QVERIFY(!restart.request(QStringLiteral("again")).isError);
        m_scheduler.advance(500ms);
        QCOMPARE(m_exit.value_or(0), 42);
    }

    void clampsDelay_data()
    {
        const Rows<Duration, Duration> row("delay", "used");
        row("in range", Duration(2s), Duration(2s));
        row("negative", Duration(-1s), Duration(0));
        row("too long", Duration::max(), Duration(1min));
    }

    void clampsDelay()
    {
        QFETCH(Duration, delay);
        QFETCH(Duration, used);
        ServerRestartOptions delayed = options();
        delayed.delay = delay;
        ServerRestart restart(m_scheduler, delayed);
        QVERIFY(restart.request({}).text.contains(
            QStringLiteral("in %1, ").arg(durationToString(used))));
        QVERIFY(!m_exit); // never before request() returns
        m_scheduler.advance(used / 2);
        QCOMPARE(m_exit.has_value(), used == Duration(0));
        m_scheduler.advance(used - used / 2);
        QCOMPARE(m_exit.value_or(0), 42);
    }

    void doesNotExitAfterDeletion()
    {
        auto restart = std::make_unique<ServerRestart>(m_scheduler, options());
        (void)restart->request({});
        restart.reset();
        m_scheduler.advance(1h);
        QVERIFY(!m_exit);

        restart = std::make_unique<ServerRestart>(m_scheduler, options());
        connect(restart.get(), &ServerRestart::aboutToExit, this, [&restart] { restart.reset(); });
        (void)restart->request({});
        m_scheduler.advance(500ms);
        QVERIFY(!restart);
        QVERIFY(!m_exit);
    }

private:
    [[nodiscard]] ServerRestartOptions options()
    {
        return {.markerFile = marker(), .exit = [this](int code) { m_exit = code; }};
    }
    [[nodiscard]] QString marker() const { return m_folder->filePath(QStringLiteral("marker")); }
    void leaveMarker(const QByteArray &text) const
    {
        QFile file(marker());
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(text), text.size());
    }

    std::optional<QTemporaryDir> m_folder;
    VirtualClock m_clock; // starts at 2026-01-01T00:00:00Z
    VirtualScheduler m_scheduler{m_clock};
    std::optional<int> m_exit;
};

REKINDLE_TEST(ServerRestartTest)
#include "serverrestarttest.moc"

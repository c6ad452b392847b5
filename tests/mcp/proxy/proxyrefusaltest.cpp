// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "proxystage.h"
#include "testprogram.h"
#include "testrow.h"

using namespace Rekindle;
using namespace std::chrono_literals;

Q_DECLARE_METATYPE(ProxyRefusal)

// The texts of the errors that clients get.
class ProxyRefusalTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void message_data();
    void message();
};

void ProxyRefusalTest::message_data()
{
    using Reason = ProxyRefusal::Reason;
    const Rows<ProxyRefusal, QString> row("refusal", "message");
    row("in flight", {.reason = Reason::ServerEnded, .lastExit = killed()},
        "The MCP server exited while it processed this request; it was terminated by SIGKILL. The "
        "request may have been executed. Last on stderr: last words");
    row("next restart, without a gateway",
        {.reason = Reason::ServerUnavailable, .lastExit = killed(), .restartIn = 1400ms},
        "The MCP server is not running; it was terminated by SIGKILL; it restarts in 1.4 s. Last "
        "on stderr: last words");
    row("after a retry",
        {.reason = Reason::HeldTooLong,
         .mayBeExecuted = true,
         .restartIn = 5s,
         .server = QStringLiteral("alpha")},
        "alpha: The MCP server did not restart in time; it restarts in 5.0 s. The request may have "
        "been executed");
    row("timeout", {.reason = Reason::TimedOut, .lastExit = killed()},
        "The MCP server did not respond in time. The request may have been executed");
    row("not sent", {.reason = Reason::TooManyHeld},
        "Too many requests are held for the MCP server");
}

void ProxyRefusalTest::message()
{
    QFETCH(ProxyRefusal, refusal);
    QTEST(refusal.message(), "message");
    QCOMPARE(refusal.data().contains("\"maybeExecuted\":true"),
             refusal.message().contains(QStringLiteral("may have been executed")));
}

REKINDLE_TEST(ProxyRefusalTest)
#include "proxyrefusaltest.moc"

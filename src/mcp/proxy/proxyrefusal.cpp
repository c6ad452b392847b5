// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "proxyrefusal_p.h"

#include "base/signalname_p.h"
#include "mcp/jsonrpc/errorcodes_p.h"
#include "wire/messagewriter_p.h"

#include "json/jsonwriter.h"

#include <algorithm>
#include <array>

namespace Rekindle {

namespace {

using Reason = ProxyRefusal::Reason;

struct Wording
{
    QLatin1String name; // in the data
    QLatin1String sentence;
};

constexpr std::array<Wording, 9> wordings{{
    {QLatin1String("serverEnded"),
     QLatin1String("The MCP server exited while it processed this request")},
    {QLatin1String("serverUnavailable"), QLatin1String("The MCP server is not running")},
    {QLatin1String("heldTooLong"), QLatin1String("The MCP server did not restart in time")},
    {QLatin1String("tooManyHeld"), QLatin1String("Too many requests are held for the MCP server")},
    {QLatin1String("tooManyInFlight"),
     QLatin1String("The MCP server has too many unanswered requests; this one was not sent")},
    {QLatin1String("handshakeRefused"),
     QLatin1String("The restarted MCP server rejected the handshake of the session")},
    {QLatin1String("timedOut"), QLatin1String("The MCP server did not respond in time")},
    {QLatin1String("timedOut"),
     QLatin1String("The MCP server did not restart before the timeout of this request")},
    {QLatin1String("answerTooLong"),
     QLatin1String("The response of the MCP server exceeds the size limit")},
}};

const Wording &wordingOf(Reason reason) { return wordings[static_cast<std::size_t>(reason)]; }

// A line can be long, and a stderr tail has up to 20 lines.
constexpr qsizetype maximumLine = 400;
constexpr qsizetype linesInMessage = 3;

QString lastLines(const QStringList &lines)
{
    QStringList last = lines.mid(std::max<qsizetype>(0, lines.size() - linesInMessage));
    for (QString &line : last)
        line.truncate(maximumLine);
    return last.join(QLatin1String(" | "));
}

} // namespace

int ProxyRefusal::code() const
{
    const bool isTimeout = reason == Reason::TimedOut || reason == Reason::HeldTimedOut;
    if (revision == McpProtocol::Revision::Modern)
        return isTimeout ? ErrorCode::modernRequestTimeout : ErrorCode::modernConnectionClosed;
    return isTimeout ? ErrorCode::requestTimeout : ErrorCode::connectionClosed;
}

bool ProxyRefusal::isMaybeExecuted() const
{
    return mayBeExecuted || reason == Reason::ServerEnded || reason == Reason::TimedOut
        || reason == Reason::AnswerTooLong;
}

QString ProxyRefusal::message() const
{
    QString text = server.isEmpty() ? QString() : server + QLatin1String(": ");
    text += wordingOf(reason).sentence;
    if (!detail.isEmpty())
        text += QLatin1String(": ") + detail;
    const bool isAboutExit = reason != Reason::TimedOut && reason != Reason::AnswerTooLong
        && reason != Reason::TooManyInFlight && reason != Reason::HandshakeRefused;
    const FailureDetail *const exit = isAboutExit && lastExit ? &lastExit->detail : nullptr;
    if (exit != nullptr && (exit->message.isEmpty() || exit->message != detail))
        text += QLatin1String("; it ") + lastExit->description();
    const double wait = restartIn ? toMilliseconds(*restartIn) : 0;
    if (wait > 0)
        text += QStringLiteral("; it restarts in %1 s").arg(wait / 1000, 0, 'f', 1);
    if (isMaybeExecuted())
        text += QLatin1String(". The request may have been executed");
    if (exit != nullptr && !exit->stderrTail.isEmpty())
        text += QLatin1String(". Last on stderr: ") + lastLines(exit->stderrTail);
    return text;
}

QByteArray ProxyRefusal::data() const
{
    return jsonObject([this](JsonWriter &json) {
        json.member("source", "rekindle");
        json.member("reason", wordingOf(reason).name);
        json.member("maybeExecuted", isMaybeExecuted());
        if (restartIn)
            json.member("restartInMs", toMilliseconds(*restartIn));
        if (lastExit) {
            const FailureDetail &exit = lastExit->detail;
            if (exit.exitCode)
                json.member("exitCode", *exit.exitCode);
            if (exit.signal)
                json.member("signal", signalName(*exit.signal));
            json.array("stderr", exit.stderrTail, [&json](const QString &line) {
                json.value(QStringView(line).left(maximumLine));
            });
        }
        if (!server.isEmpty())
            json.member("server", server);
    });
}

QByteArray ProxyRefusal::toJson() const { return makeError(id.json(), code(), message(), data()); }

} // namespace Rekindle

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "proxyrefusal_p.h"

#include "mcp/jsonrpc/errorcodes_p.h"
#include "mcp/jsonrpc/messagewriter_p.h"

#include "json/jsonwriter.h"

#include <algorithm>

namespace Rekindle {

namespace {

using Reason = ProxyRefusal::Reason;

QLatin1String nameOf(Reason reason)
{
    switch (reason) {
    case Reason::ServerEnded:
        return QLatin1String("serverEnded");
    case Reason::ServerUnavailable:
        return QLatin1String("serverUnavailable");
    case Reason::HeldTooLong:
        return QLatin1String("heldTooLong");
    case Reason::TooManyHeld:
        return QLatin1String("tooManyHeld");
    case Reason::TooManyInFlight:
        return QLatin1String("tooManyInFlight");
    case Reason::HandshakeRefused:
        return QLatin1String("handshakeRefused");
    case Reason::TimedOut:
    case Reason::HeldTimedOut:
        return QLatin1String("timedOut");
    case Reason::AnswerTooLong:
        return QLatin1String("answerTooLong");
    }
    return QLatin1String("unknown");
}

QString sentenceOf(Reason reason)
{
    switch (reason) {
    case Reason::ServerEnded:
        return QStringLiteral("The MCP server ended while it processed this request, which may or "
                              "may not have been executed");
    case Reason::ServerUnavailable:
        return QStringLiteral("The MCP server is not running");
    case Reason::HeldTooLong:
        return QStringLiteral("The MCP server did not restart in time");
    case Reason::TooManyHeld:
        return QStringLiteral("Too many requests are held for the MCP server");
    case Reason::TooManyInFlight:
        return QStringLiteral("The MCP server has too many unanswered requests; this one was not "
                              "sent");
    case Reason::HandshakeRefused:
        return QStringLiteral("The restarted MCP server rejected the handshake of the session");
    case Reason::TimedOut:
        return QStringLiteral("The MCP server did not respond in time");
    case Reason::HeldTimedOut:
        return QStringLiteral("The MCP server did not restart before the timeout of this request");
    case Reason::AnswerTooLong:
        return QStringLiteral("The response of the MCP server exceeds the size limit");
    }
    return {};
}

// A line may be long, and stderr tails have up to 20 of them.
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
    if (revision == ProtocolRevision::Modern)
        return isTimeout ? ErrorCode::modernRequestTimeout : ErrorCode::modernConnectionClosed;
    return isTimeout ? ErrorCode::requestTimeout : ErrorCode::connectionClosed;
}

QString ProxyRefusal::message() const
{
    QString text = server.isEmpty() ? QString() : server + QLatin1String(": ");
    text += sentenceOf(reason);
    if (!detail.isEmpty())
        text += QLatin1String(": ") + detail;
    const bool isAboutEnd = reason != Reason::TimedOut && reason != Reason::AnswerTooLong
        && reason != Reason::TooManyInFlight && reason != Reason::HandshakeRefused;
    if (isAboutEnd && lastEnd) {
        const FailureDetail &end = lastEnd->detail;
        if (end.message.isEmpty() || end.message != detail)
            text += QLatin1String("; it ") + lastEnd->description();
        if (!end.stderrTail.isEmpty())
            text += QLatin1String(". Last on stderr: ") + lastLines(end.stderrTail);
    }
    const double wait = restartIn ? static_cast<double>(toMilliseconds(*restartIn)) : 0;
    if (!server.isEmpty() && wait > 0)
        text += QStringLiteral("; it restarts in %1 s").arg(wait / 1000, 0, 'f', 1);
    return text;
}

QByteArray ProxyRefusal::data() const
{
    QByteArray data;
    JsonWriter json(data);
    json.beginObject();
    json.key(QLatin1String("source"));
    json.value(QLatin1String("rekindle"));
    json.key(QLatin1String("reason"));
    json.value(nameOf(reason));
    json.key(QLatin1String("maybeExecuted"));
    json.value(mayBeExecuted || reason == Reason::ServerEnded || reason == Reason::TimedOut
               || reason == Reason::AnswerTooLong);
    if (restartIn) {
        json.key(QLatin1String("restartInMs"));
        json.value(toMilliseconds(*restartIn));
    }
    if (lastEnd) {
        const FailureDetail &end = lastEnd->detail;
        if (end.exitCode) {
            json.key(QLatin1String("exitCode"));
            json.value(*end.exitCode);
        }
        if (end.signal) {
            json.key(QLatin1String("signal"));
            json.value(signalName(*end.signal));
        }
        json.key(QLatin1String("stderr"));
        json.beginArray();
        for (const QString &line : end.stderrTail)
            json.value(QStringView(line).left(maximumLine));
        json.endArray();
    }
    if (!server.isEmpty()) {
        json.key(QLatin1String("server"));
        json.value(server);
    }
    json.endObject();
    return data;
}

QByteArray ProxyRefusal::toJson() const { return makeError(id.json(), code(), message(), data()); }

} // namespace Rekindle

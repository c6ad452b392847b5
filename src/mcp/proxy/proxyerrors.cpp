// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "proxyerrors_p.h"

#include "mcp/jsonrpc/messagewriter_p.h"

#include "json/jsonwriter.h"

#include <algorithm>
#include <cstring>

namespace Rekindle {

namespace {

using Reason = ProxyErrors::Reason;

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
        return QStringLiteral("The MCP server ended while it worked on this request, which may or "
                              "may not have been carried out");
    case Reason::ServerUnavailable:
        return QStringLiteral("The MCP server is not running");
    case Reason::HeldTooLong:
        return QStringLiteral("The MCP server did not come back in time");
    case Reason::TooManyHeld:
        return QStringLiteral("Too many requests wait for the MCP server");
    case Reason::TooManyInFlight:
        return QStringLiteral("The MCP server works on too many requests already, and was not sent "
                              "this one");
    case Reason::HandshakeRefused:
        return QStringLiteral("The restarted MCP server does not take up the session");
    case Reason::TimedOut:
        return QStringLiteral("The MCP server did not answer in time");
    case Reason::HeldTimedOut:
        return QStringLiteral("The MCP server did not come back within the time of this request");
    case Reason::AnswerTooLong:
        return QStringLiteral("The answer of the MCP server is longer than what is passed on");
    }
    return {};
}

bool isTimeout(Reason reason)
{
    return reason == Reason::TimedOut || reason == Reason::HeldTimedOut;
}

int codeOf(Reason reason, ProtocolEra era)
{
    if (era == ProtocolEra::Modern)
        return isTimeout(reason) ? -31001 : -31000;
    return isTimeout(reason) ? -32001 : -32000;
}

QString signalName(int number)
{
    if (const char *name = ::sigabbrev_np(number))
        return QLatin1String("SIG") + QString::fromLatin1(name);
    return QStringLiteral("signal %1").arg(number);
}

// Lines may be long, and there may be twenty of them.
constexpr qsizetype longestLine = 400;
constexpr qsizetype linesInMessage = 3;

QString messageOf(Reason reason, const ProxyErrors::Circumstances &circumstances)
{
    QString text = sentenceOf(reason);
    if (!circumstances.detail.isEmpty())
        text += QLatin1String(": ") + circumstances.detail;
    const bool aboutEnd = reason != Reason::TimedOut && reason != Reason::AnswerTooLong
        && reason != Reason::TooManyInFlight && reason != Reason::HandshakeRefused;
    if (aboutEnd && circumstances.lastEnd) {
        const ServerEnd &end = *circumstances.lastEnd;
        if (end.detail.message.isEmpty() || end.detail.message != circumstances.detail)
            text += QStringLiteral("; it ") + ProxyErrors::describe(end);
        const QStringList &lines = end.detail.stderrTail;
        if (!lines.isEmpty()) {
            text += QLatin1String(". Last on stderr: ");
            for (qsizetype i = std::max<qsizetype>(0, lines.size() - linesInMessage);
                 i < lines.size(); ++i)
                text += lines[i].left(longestLine) + (i + 1 < lines.size() ? u" | " : u"");
        }
    }
    return text;
}

QByteArray dataOf(Reason reason, const ProxyErrors::Circumstances &circumstances)
{
    QByteArray data;
    JsonWriter json(data);
    json.beginObject();
    json.key(QLatin1String("source"));
    json.value(QLatin1String("rekindle"));
    json.key(QLatin1String("reason"));
    json.value(nameOf(reason));
    json.key(QLatin1String("maybeExecuted"));
    json.value(circumstances.mayBeDone || reason == Reason::ServerEnded
               || reason == Reason::TimedOut || reason == Reason::AnswerTooLong);
    if (circumstances.restartIn) {
        json.key(QLatin1String("restartInMs"));
        json.value(toMilliseconds(*circumstances.restartIn));
    }
    if (circumstances.lastEnd) {
        const FailureDetail &detail = circumstances.lastEnd->detail;
        if (detail.exitCode) {
            json.key(QLatin1String("exitCode"));
            json.value(*detail.exitCode);
        }
        if (detail.signal) {
            json.key(QLatin1String("signal"));
            json.value(signalName(*detail.signal));
        }
        json.key(QLatin1String("stderr"));
        json.beginArray();
        for (const QString &line : detail.stderrTail)
            json.value(QStringView(line).left(longestLine));
        json.endArray();
    }
    json.endObject();
    return data;
}

} // namespace

QByteArray ProxyErrors::make(const MessageId &id, ProtocolEra era, Reason reason,
                             const Circumstances &circumstances)
{
    return makeError(id.json(), codeOf(reason, era), messageOf(reason, circumstances),
                     dataOf(reason, circumstances));
}

QString ProxyErrors::describe(const ServerEnd &end)
{
    const FailureDetail &detail = end.detail;
    if (end.kind == ServerEnd::Kind::Requested)
        return QStringLiteral("was restarted on request");
    if (end.kind == ServerEnd::Kind::Stopped)
        return QStringLiteral("was stopped, for the session has ended");
    if (detail.signal)
        return QStringLiteral("was ended by %1").arg(signalName(*detail.signal));
    if (detail.exitCode)
        return QStringLiteral("ended with exit code %1").arg(*detail.exitCode);
    if (!detail.message.isEmpty())
        return QStringLiteral("failed: %1").arg(detail.message);
    return QStringLiteral("ended");
}

} // namespace Rekindle

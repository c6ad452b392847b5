// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// Reads any bytes as the input of a control client. All that is sent must be JSON-RPC, each request
// has one response, and nothing depends on the pieces in which the bytes arrive.

#include "fuzztarget.h"

#include "control/rings/eventring_p.h"
#include "control/session/controlsession_p.h"
#include "wire/messagewriter_p.h"

#include <algorithm>

using namespace Rekindle;

namespace {

QByteArray takeSent(ControlSession &session)
{
    QByteArray sent;
    OutgoingBytes &bytes = session.outgoing();
    while (!bytes.isEmpty()) {
        sent += bytes.next();
        bytes.drop(bytes.next().size());
    }
    return sent;
}

// The session's output for bytes that arrive in pieces of this size. Every third call is refused,
// and every fourth is never answered.
QByteArray sentFor(QByteArrayView bytes, qsizetype piece)
{
    const HostInfo host;
    ControlSession session(host);
    QByteArray sent;
    int calls = 0;
    int unanswered = 0;
    for (; !bytes.isEmpty(); bytes = bytes.sliced(std::min(piece, bytes.size()))) {
        session.receive(bytes.first(std::min(piece, bytes.size())));
        while (session.hasLine()) {
            const std::optional<ControlCall> call = session.readLine();
            sent += takeSent(session);
            if (!call)
                continue;
            require(session.isOpened(), "a call before hello");
            require(call->id.isPresent(), "a call without an id");
            ++calls;
            if (!call->method || calls % 3 == 0)
                session.answer(call->id, refused("no", QStringLiteral("no")));
            else if (calls % 4 == 0)
                ++unanswered;
            else
                session.answer(call->id, "{}");
            sent += takeSent(session);
        }
        require(session.inFlight() <= ControlSession::maxInFlight, "too many requests in flight");
        require(session.inFlight() <= unanswered, "an answered request is in flight");
    }
    return sent;
}

} // namespace

void fuzzOne(QByteArrayView bytes)
{
    const QByteArray hello =
        makeRequest("\"hello\"", QLatin1String("hello"), "{\"protocols\":[1]}") + '\n';
    const QByteArray all = hello + bytes.toByteArray() + '\n';
    const QByteArray whole = sentFor(all, all.size());
    for (const QByteArray &line : whole.split('\n')) {
        const MessagePeek peek = MessagePeek::at(line);
        require(line.isEmpty() || peek.isResponse(), "something else than a response was sent");
    }
    require(sentFor(all, 1) == whole && sentFor(all, 7) == whole, "the answers depend on pieces");
    const std::optional<EventCursor> cursor = EventCursor::of(QString::fromUtf8(bytes));
    require(!cursor || EventCursor::of(cursor->text()) == cursor, "a cursor changes");
    // Without hello, too.
    require(sentFor(bytes, 3) == sentFor(bytes, std::max<qsizetype>(1, bytes.size())),
            "the answers depend on pieces");
}

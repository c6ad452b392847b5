// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// Reads any bytes, in pieces, like the lines of a client or a server: JSON, messages, ids, edits.

#include "fuzztarget.h"

#include "mcp/jsonrpc/jsonedit_p.h"
#include "mcp/jsonrpc/mcpmembers_p.h"
#include "mcp/proxy/clientrequest_p.h"
#include "wire/contentframer_p.h"
#include "wire/lineframer_p.h"
#include "wire/messagepeek_p.h"
#include "json/jsonscanner.h"

#include <algorithm>

using namespace Rekindle;

namespace {

constexpr qsizetype longestLine = 200;

// The lines must not depend on the length of the pieces.
std::vector<FramedLine> linesOf(QByteArrayView bytes, qsizetype piece)
{
    LineFramer framer(longestLine);
    std::vector<FramedLine> lines;
    for (; !bytes.isEmpty(); bytes = bytes.sliced(std::min(piece, bytes.size()))) {
        framer.add(bytes.first(std::min(piece, bytes.size())), lines);
        require(framer.pendingSize() <= LineFramer::firstBytesKept, "the framer stores too much");
    }
    if (auto rest = framer.takeRest())
        lines.push_back(*std::move(rest));
    require(framer.pendingSize() == 0, "a rest is left");
    return lines;
}

// The messages with a size before them, and the fault
std::vector<QByteArray> messagesOf(QByteArrayView bytes, qsizetype piece)
{
    ContentFramer framer(longestLine);
    std::vector<QByteArray> messages;
    for (; !bytes.isEmpty(); bytes = bytes.sliced(std::min(piece, bytes.size()))) {
        QByteArrayView part = bytes.first(std::min(piece, bytes.size()));
        while (std::optional<QByteArray> message = framer.addBytes(part)) {
            require(message->size() <= longestLine, "a message is too long");
            messages.push_back(*std::move(message));
        }
        require(part.isEmpty(), "bytes are left");
    }
    messages.push_back(framer.fault().toUtf8());
    return messages;
}

// How much of a line that is too long is stored depends on the pieces.
bool isSame(const FramedLine &one, const FramedLine &other)
{
    if (!one.isTooLong)
        return !other.isTooLong && one.bytes == other.bytes;
    return other.isTooLong && one.size == other.size && one.lastBytes == other.lastBytes
        && (one.bytes.startsWith(other.bytes) || other.bytes.startsWith(one.bytes));
}

bool isValue(QByteArrayView text)
{
    JsonScanner scanner(text);
    return scanner.skipValue() && scanner.isAtEnd();
}

void checkPlaces(QByteArrayView line, const MessagePeek &peek)
{
    for (const JsonSpan &place : {peek.idValue, peek.params, peek.result, peek.error}) {
        if (!place.isPresent())
            continue;
        require(place.offset + place.size <= line.size(), "a place is outside of the line");
        require(isValue(place.of(line)), "a place is not a value");
    }
    (void)progressTokenOf(line, peek);
    (void)requestIdOf(line, peek);
    (void)protocolVersionOf(line, peek);
    (void)isModern(line, peek);
}

// The new member can be read, and all other members are unchanged.
void edit(const QByteArray &line, const MessagePeek &peek)
{
    JsonEdit edit(line);
    edit.setMember(peek.params, "name", "\"n\\u0061me\"");
    const MessagePeek edited = MessagePeek::at(edit.result());
    require(edited.kind == peek.kind && edited.id == peek.id && edited.method == peek.method,
            "an edit changed another member");
    if (line.mid(peek.params.offset, 1) == "{")
        require(jsonStringText(jsonMember(edit.result(), edited.params, "name").of(edit.result()))
                    == "name",
                "an edit is lost");
}

void checkMessage(const QByteArray &line)
{
    (void)MessagePeek::atEnds(line, line);
    (void)MessagePeek::atEnds(line.left(20), line.right(20));
    const MessageId id = MessageId::ofJson(line);
    if (id.isPresent())
        require(MessageId::ofJson(id.json()) == id, "an id changes when it is written and read");
    const MessagePeek peek = MessagePeek::at(line);
    if (peek.kind == MessagePeek::Kind::NotJson)
        return;
    checkPlaces(line, peek);
    (void)ClientRequest::of(line, peek);
    if (peek.kind == MessagePeek::Kind::Request || peek.isResponse())
        require(peek.id.isPresent() || peek.kind == MessagePeek::Kind::Error,
                "a message has no id");
    if (peek.id.isPresent())
        require(MessageId::ofJson(peek.id.json()) == peek.id, "an id cannot be repeated");
    if (peek.kind == MessagePeek::Kind::Request && peek.params.isPresent())
        edit(line, peek);
}

} // namespace

void fuzzOne(QByteArrayView bytes)
{
    if (bytes.isEmpty())
        return;
    const qsizetype piece = 1 + static_cast<unsigned char>(bytes.front());
    const std::vector<FramedLine> lines = linesOf(bytes.sliced(1), piece);
    const std::vector<FramedLine> atOnce = linesOf(bytes.sliced(1), bytes.size());
    require(std::equal(lines.begin(), lines.end(), atOnce.begin(), atOnce.end(), isSame),
            "the lines depend on the pieces");
    require(messagesOf(bytes.sliced(1), piece) == messagesOf(bytes.sliced(1), bytes.size()),
            "the messages depend on the pieces");
    for (const FramedLine &line : lines) {
        require(!line.bytes.contains('\n'), "a line contains a newline");
        if (line.isTooLong) {
            require(line.size > longestLine, "a line is not too long");
            (void)MessagePeek::atEnds(line.bytes, line.lastBytes);
        } else {
            require(line.size == line.bytes.size() && line.size <= longestLine,
                    "the size of a line is wrong");
            checkMessage(line.bytes);
        }
    }
}

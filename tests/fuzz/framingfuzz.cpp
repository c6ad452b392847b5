// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// Any bytes, in pieces, as what a client or a server may write: lines, JSON, messages, ids, edits.

#include "fuzztarget.h"

#include "mcp/jsonrpc/jsonedit_p.h"
#include "mcp/jsonrpc/messagepeek_p.h"
#include "mcp/transport/lineframer_p.h"

#include <algorithm>

using namespace Rekindle;

namespace {

constexpr qsizetype longestLine = 200;

// The first byte says how long the pieces are; the lines must not depend on it.
std::vector<FramedLine> linesOf(QByteArrayView bytes, qsizetype piece)
{
    LineFramer framer(longestLine);
    std::vector<FramedLine> lines;
    for (; !bytes.isEmpty(); bytes = bytes.sliced(std::min(piece, bytes.size()))) {
        framer.add(bytes.first(std::min(piece, bytes.size())), lines);
        require(framer.pendingSize() <= LineFramer::firstBytesKept, "the framer keeps too much");
    }
    if (auto rest = framer.takeRest())
        lines.push_back(*std::move(rest));
    require(framer.pendingSize() == 0 && !framer.isSkipping(), "a rest is left");
    return lines;
}

// Of a line that is too long only so much is kept as a piece brings.
bool isSame(const FramedLine &one, const FramedLine &other)
{
    if (!one.isTooLong)
        return one == other;
    return other.isTooLong && one.size == other.size && one.lastBytes == other.lastBytes
        && (one.bytes.startsWith(other.bytes) || other.bytes.startsWith(one.bytes));
}

bool isValue(QByteArrayView text)
{
    JsonScanner scanner(text);
    return scanner.skipValue() && scanner.isAtEnd();
}

void lookAtPlaces(QByteArrayView line, const MessagePeek &peek)
{
    for (const JsonSpan &place : {peek.idValue, peek.params, peek.result, peek.error}) {
        if (!place.isPresent())
            continue;
        require(place.offset + place.size <= line.size(), "a place is outside of the line");
        require(isValue(place.of(line)), "a place holds no value");
    }
    (void)progressTokenOf(line, peek);
    (void)requestIdOf(line, peek);
    (void)nameOf(line, peek);
    (void)protocolVersionOf(line, peek);
    (void)isModern(line, peek);
}

// What is written into a message can be read from it, and nothing else has changed.
void edit(const QByteArray &line, const MessagePeek &peek)
{
    JsonEdit edit(line);
    edit.setMember(peek.params, "name", "\"n\\u0061me\"");
    const MessagePeek edited = MessagePeek::at(edit.result());
    require(edited.kind == peek.kind && edited.id == peek.id && edited.method == peek.method,
            "an edit has changed something else");
    if (line.mid(peek.params.offset, 1) == "{")
        require(nameOf(edit.result(), edited) == "name", "an edit is lost");
}

void look(const QByteArray &line)
{
    (void)MessagePeek::atEnds(line, line);
    (void)MessagePeek::atEnds(line.left(20), line.right(20));
    const MessageId id = MessageId::ofJson(line);
    if (id.isPresent())
        require(MessageId::ofJson(id.json()) == id, "an id is another one when it is read again");
    const MessagePeek peek = MessagePeek::at(line);
    if (peek.kind == MessagePeek::Kind::NotJson)
        return;
    lookAtPlaces(line, peek);
    if (peek.kind == MessagePeek::Kind::Request || peek.isAnswer())
        require(peek.id.isPresent() || peek.kind == MessagePeek::Kind::Error, "it has no id");
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
    for (const FramedLine &line : lines) {
        require(!line.bytes.contains('\n'), "a line has an end inside");
        if (line.isTooLong) {
            require(line.size > longestLine, "a line is not too long");
            (void)MessagePeek::atEnds(line.bytes, line.lastBytes);
        } else {
            require(line.size == line.bytes.size() && line.size <= longestLine, "its size");
            look(line.bytes);
        }
    }
}

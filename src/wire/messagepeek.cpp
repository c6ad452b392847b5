// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "messagepeek_p.h"

#include <array>

namespace Rekindle {

namespace {

enum Member { JsonRpc, Id, Method, Params, Result, Error, memberCount };
constexpr std::array<QByteArrayView, memberCount> memberNames{"jsonrpc", "id",     "method",
                                                              "params",  "result", "error"};

using Members = std::array<JsonSpan, memberCount>;

MessagePeek invalid(MessagePeek::Kind kind, const char *why)
{
    MessagePeek peek;
    peek.kind = kind;
    peek.fault = QLatin1String(why);
    return peek;
}

// Returns why the members are not a message; nullptr if they are.
const char *faultOf(QByteArrayView line, const Members &members, const MessagePeek &peek)
{
    const auto has = [&](Member member) { return members[member].isPresent(); };
    if (members[JsonRpc].of(line) != QByteArrayView(R"("2.0")"))
        return R"(its "jsonrpc" is not "2.0")";
    if (has(Method) && (has(Result) || has(Error)))
        return "it has a method and an answer";
    if (has(Method) && members[Method].of(line).front() != '"')
        return "its method is not a string";
    if (has(Result) && has(Error))
        return "it has a result and an error";
    if (!has(Method) && !has(Result) && !has(Error))
        return "it has no method and no answer";
    if (has(Error) && members[Error].of(line).front() != '{')
        return "its error is not an object";
    const bool mayLackId =
        has(Id) ? has(Error) && members[Id].of(line) == QByteArrayView("null") : !has(Result);
    return peek.id.isPresent() || mayLackId ? nullptr : "its id is neither string nor integer";
}

MessagePeek::Kind kindOf(const Members &members)
{
    if (members[Method].isPresent())
        return members[Id].isPresent() ? MessagePeek::Kind::Request
                                       : MessagePeek::Kind::Notification;
    return members[Result].isPresent() ? MessagePeek::Kind::Result : MessagePeek::Kind::Error;
}

MessagePeek messageOf(QByteArrayView line, const Members &members)
{
    MessagePeek peek;
    peek.idValue = members[Id];
    peek.params = members[Params];
    peek.result = members[Result];
    peek.error = members[Error];
    if (members[Id].isPresent())
        peek.id = MessageId::ofJson(members[Id].of(line));
    if (members[Method].isPresent())
        peek.method = jsonStringText(members[Method].of(line)).value_or(QByteArray());
    if (const char *fault = faultOf(line, members, peek)) {
        peek.kind = MessagePeek::Kind::NotMessage;
        peek.fault = QLatin1String(fault);
    } else {
        peek.kind = kindOf(members);
    }
    return peek;
}

bool endsAfterBlanks(JsonScanner &scanner)
{
    scanner.skipBlanks();
    return scanner.isAtEnd();
}

std::optional<Member> memberOf(QByteArrayView key)
{
    for (std::size_t i = 0; i < memberNames.size(); ++i) {
        if (jsonStringIs(key, memberNames[i]))
            return static_cast<Member>(i);
    }
    return std::nullopt;
}

QByteArrayView withoutBlanksAtEnd(QByteArrayView text)
{
    while (!text.isEmpty() && QByteArrayView(" \t\r\n").contains(text.back()))
        text.chop(1);
    return text;
}

// Reads an id that is the last member of an object, backwards from the end of the object. An id
// with a backslash is not read, because its quotes may be escaped.
MessageId idAtEnd(QByteArrayView text)
{
    text = withoutBlanksAtEnd(text);
    if (!text.endsWith('}'))
        return {};
    text = withoutBlanksAtEnd(text.chopped(1));
    qsizetype start = text.size();
    if (text.endsWith('"')) {
        start = text.lastIndexOf('"', text.size() - 2);
        if (start < 0 || text.sliced(start).contains('\\'))
            return {};
    } else {
        while (start > 0
               && (text[start - 1] == '-' || (text[start - 1] >= '0' && text[start - 1] <= '9')))
            --start;
    }
    const MessageId id = MessageId::ofJson(text.sliced(start));
    text = withoutBlanksAtEnd(text.first(start));
    if (!text.endsWith(':'))
        return {};
    text = withoutBlanksAtEnd(text.chopped(1));
    if (!text.endsWith("\"id\""))
        return {};
    text = withoutBlanksAtEnd(text.chopped(4));
    return text.endsWith(',') || text.endsWith('{') ? id : MessageId();
}

} // namespace

MessagePeek MessagePeek::at(QByteArrayView line)
{
    JsonScanner scanner(line);
    scanner.skipBlanks();
    if (!scanner.enterObject()) {
        const bool isArray = scanner.peek() == '[';
        if (!scanner.skipValue() || !endsAfterBlanks(scanner))
            return invalid(Kind::NotJson, "it is not JSON");
        if (!isArray)
            return invalid(Kind::NotMessage, "it is not an object");
        MessagePeek peek;
        peek.kind = Kind::Batch;
        return peek;
    }

    Members members;
    bool isRepeated = false;
    while (true) {
        JsonSpan key;
        JsonSpan value;
        const JsonScanner::Step step = scanner.nextMember(key, value);
        if (step == JsonScanner::Step::Fault)
            return invalid(Kind::NotJson, "it is not JSON");
        if (step == JsonScanner::Step::End)
            break;
        if (const std::optional<Member> member = memberOf(key.of(line))) {
            isRepeated = isRepeated || members[*member].isPresent();
            members[*member] = value;
        }
    }
    if (!endsAfterBlanks(scanner))
        return invalid(Kind::NotJson, "text follows its end");
    if (isRepeated)
        return invalid(Kind::NotMessage, "one of its members is repeated");
    return messageOf(line, members);
}

MessagePeek MessagePeek::atEnds(QByteArrayView firstBytes, QByteArrayView lastBytes)
{
    MessagePeek peek = invalid(Kind::NotMessage, "it is too long");
    JsonScanner scanner(firstBytes);
    scanner.skipBlanks();
    if (!scanner.enterObject())
        return peek;
    bool isCall = false;
    bool isResult = false;
    bool isError = false;
    JsonScanner::Step step = JsonScanner::Step::Member;
    while (step == JsonScanner::Step::Member) {
        // The value of the last member is truncated; its key may be complete.
        JsonSpan key;
        JsonSpan value;
        step = scanner.nextMember(key, value);
        const std::optional<Member> member = memberOf(key.of(firstBytes));
        isResult = isResult || member == Result;
        isError = isError || member == Error;
        isCall = isCall || member == Method || member == Params;
        if (step != JsonScanner::Step::Member)
            continue;
        if (member == Id)
            peek.id = MessageId::ofJson(value.of(firstBytes));
        if (member == Method)
            peek.method = jsonStringText(value.of(firstBytes)).value_or(QByteArray());
    }
    if (!peek.id.isPresent())
        peek.id = idAtEnd(lastBytes);
    const int kindCount = (isCall ? 1 : 0) + (isResult ? 1 : 0) + (isError ? 1 : 0);
    if (kindCount != 1 || !peek.id.isPresent())
        return peek;
    peek.kind = isCall ? Kind::Request : isResult ? Kind::Result : Kind::Error;
    return peek;
}

MessagePeek lenientResponse(QByteArrayView line, MessagePeek peek)
{
    using Kind = MessagePeek::Kind;
    const bool hasError = peek.error.isPresent() && peek.error.of(line) != QByteArrayView("null");
    peek.kind = peek.result.isPresent() && !hasError ? Kind::Result : Kind::Error;
    peek.id = MessageId::ofJson(peek.idValue.of(line));
    return peek;
}

MessagePeek responseFromEnds(QByteArrayView line)
{
    MessagePeek ends = MessagePeek::atEnds(line, line);
    if (ends.isResponse()) {
        ends.kind = MessagePeek::Kind::Error;
        ends.fault = QLatin1String("its response cannot be read");
    }
    return ends;
}

} // namespace Rekindle

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "jsonscanner.h"

#include "utf8.h"

#include <bitset>
#include <cstdint>
#include <cstring>

namespace Rekindle {

namespace {

using Word = std::uint64_t;

constexpr Word inEachByte(unsigned char value) { return Word{0x0101010101010101} * value; }

// The high bit of a byte is set at a quote, a backslash or a control character. Above the first
// such byte, bits may be set wrongly.
Word specialBytes(Word word)
{
    const Word quotes = word ^ inEachByte('"');
    const Word slashes = word ^ inEachByte('\\');
    return ((quotes - inEachByte(1)) & ~quotes) | ((slashes - inEachByte(1)) & ~slashes)
        | ((word - inEachByte(0x20)) & ~word);
}

bool isSpecial(char byte)
{
    return byte == '"' || byte == '\\' || static_cast<unsigned char>(byte) < 0x20;
}

const char *endOfPlain(const char *at, const char *end)
{
    constexpr std::ptrdiff_t step = 2 * sizeof(Word);
    while (end - at >= step) {
        Word first = 0;
        Word second = 0;
        std::memcpy(&first, at, sizeof(Word));
        std::memcpy(&second, at + sizeof(Word), sizeof(Word));
        if (((specialBytes(first) | specialBytes(second)) & inEachByte(0x80)) != 0)
            break;
        at += step;
    }
    while (at < end && !isSpecial(*at))
        ++at;
    return at;
}

bool isDigit(char byte) { return byte >= '0' && byte <= '9'; }

bool isHexDigit(char byte)
{
    return isDigit(byte) || (byte >= 'a' && byte <= 'f') || (byte >= 'A' && byte <= 'F');
}

char32_t codeUnit(const char *fourDigits)
{
    return QByteArrayView(fourDigits, 4).toUInt(nullptr, 16);
}

char meaningOf(char escape)
{
    constexpr QByteArrayView letters = "bfnrt";
    constexpr QByteArrayView meanings = "\b\f\n\r\t";
    const qsizetype index = letters.indexOf(escape);
    return index < 0 ? escape : meanings[index]; // a quote or a slash
}

// `inside` is the inside of a string whose grammar was checked.
QByteArray unescaped(QByteArrayView inside)
{
    QByteArray out;
    out.reserve(inside.size());
    const char *at = inside.begin();
    while (at < inside.end()) {
        if (*at != '\\') {
            out.append(*at++);
            continue;
        }
        if (at[1] != 'u') {
            out.append(meaningOf(at[1]));
            at += 2;
            continue;
        }
        char32_t point = codeUnit(at + 2);
        at += 6;
        const bool pairFollows = point >= 0xd800 && point < 0xdc00 && inside.end() - at >= 6
            && at[0] == '\\' && at[1] == 'u';
        if (pairFollows) {
            const char32_t low = codeUnit(at + 2);
            if (low >= 0xdc00 && low < 0xe000) {
                point = 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00);
                at += 6;
            }
        }
        appendUtf8(out, point);
    }
    return out;
}

} // namespace

void JsonScanner::skipBlanks()
{
    while (m_at < m_end && (*m_at == ' ' || *m_at == '\t' || *m_at == '\r' || *m_at == '\n'))
        ++m_at;
}

bool JsonScanner::skip(char wanted)
{
    if (m_at == m_end || *m_at != wanted)
        return false;
    ++m_at;
    return true;
}

bool JsonScanner::skipEscape()
{
    ++m_at;
    if (m_at == m_end)
        return false;
    if (*m_at != 'u') {
        const bool isKnown = *m_at != '\0' && std::strchr("\"\\/bfnrt", *m_at) != nullptr;
        m_at += isKnown ? 1 : 0;
        return isKnown;
    }
    ++m_at;
    for (int i = 0; i < 4; ++i, ++m_at) {
        if (m_at == m_end || !isHexDigit(*m_at))
            return false;
    }
    return true;
}

bool JsonScanner::skipString()
{
    if (!skip('"'))
        return false;
    while (true) {
        m_at = endOfPlain(m_at, m_end);
        if (m_at == m_end)
            return false;
        if (*m_at == '"') {
            ++m_at;
            return true;
        }
        if (*m_at != '\\' || !skipEscape())
            return false;
    }
}

bool JsonScanner::skipDigits()
{
    const char *start = m_at;
    while (m_at < m_end && isDigit(*m_at))
        ++m_at;
    return m_at > start;
}

bool JsonScanner::skipNumber()
{
    if (peek() == '-')
        ++m_at;
    if (peek() == '0')
        ++m_at;
    else if (!skipDigits())
        return false;
    if (peek() == '.') {
        ++m_at;
        if (!skipDigits())
            return false;
    }
    if (peek() == 'e' || peek() == 'E') {
        ++m_at;
        if (peek() == '+' || peek() == '-')
            ++m_at;
        return skipDigits();
    }
    return true;
}

bool JsonScanner::skipWord(QByteArrayView word)
{
    if (!QByteArrayView(m_at, m_end).startsWith(word))
        return false;
    m_at += word.size();
    return true;
}

// The key of a member and the colon, up to the value.
bool JsonScanner::skipKey()
{
    skipBlanks();
    if (!skipString())
        return false;
    skipBlanks();
    return skip(':');
}

// The containers around the current value.
class JsonScanner::Nesting
{
public:
    [[nodiscard]] bool isEmpty() const { return m_depth == 0; }
    [[nodiscard]] bool isFull() const { return m_depth == greatestDepth; }
    [[nodiscard]] bool inObject() const { return m_isObject[m_depth - 1]; }
    void push(bool isObject) { m_isObject[m_depth++] = isObject; }
    void pop() { --m_depth; }

private:
    std::bitset<greatestDepth> m_isObject;
    std::size_t m_depth = 0;
};

bool JsonScanner::skipValue()
{
    Nesting nesting;
    do {
        skipBlanks();
        const bool isContainer = peek() == '{' || peek() == '[';
        if (isContainer ? !skipOpening(nesting) : !skipScalar() || !skipClosings(nesting))
            return false;
    } while (!nesting.isEmpty());
    return true;
}

bool JsonScanner::skipScalar()
{
    switch (peek()) {
    case '"':
        return skipString();
    case 't':
        return skipWord("true");
    case 'f':
        return skipWord("false");
    case 'n':
        return skipWord("null");
    default:
        return skipNumber();
    }
}

// Stops at the first value of the container. An empty one is a whole value.
bool JsonScanner::skipOpening(Nesting &nesting)
{
    if (nesting.isFull())
        return false;
    const bool isObject = peek() == '{';
    ++m_at;
    skipBlanks();
    if (skip(isObject ? '}' : ']'))
        return skipClosings(nesting);
    nesting.push(isObject);
    return !isObject || skipKey();
}

// After a value: stops at the next one, or behind the last container that ends here.
bool JsonScanner::skipClosings(Nesting &nesting)
{
    while (!nesting.isEmpty()) {
        skipBlanks();
        if (skip(','))
            return !nesting.inObject() || skipKey();
        if (!skip(nesting.inObject() ? '}' : ']'))
            return false;
        nesting.pop();
    }
    return true;
}

bool JsonScanner::enterObject()
{
    m_isFirst = true;
    return skip('{');
}

JsonScanner::Step JsonScanner::nextMember(JsonSpan &key, JsonSpan &value)
{
    skipBlanks();
    if (peek() == '}') {
        ++m_at;
        return Step::End;
    }
    if (!m_isFirst) {
        if (!skip(','))
            return Step::Fault;
        skipBlanks();
    }
    m_isFirst = false;
    const qsizetype keyStart = offset();
    if (!skipString())
        return Step::Fault;
    key = {keyStart, offset() - keyStart};
    skipBlanks();
    if (!skip(':'))
        return Step::Fault;
    skipBlanks();
    const qsizetype valueStart = offset();
    if (!skipValue())
        return Step::Fault;
    value = {valueStart, offset() - valueStart};
    return Step::Member;
}

bool jsonStringIs(QByteArrayView string, QByteArrayView name)
{
    if (string.size() < 2 || string.contains('\\'))
        return jsonStringText(string) == name;
    return string.sliced(1, string.size() - 2) == name;
}

std::optional<QByteArray> jsonStringText(QByteArrayView string)
{
    if (string.size() < 2 || string.front() != '"')
        return std::nullopt;
    JsonScanner scanner(string);
    if (!scanner.skipValue() || !scanner.isAtEnd())
        return std::nullopt;
    const QByteArrayView inside = string.sliced(1, string.size() - 2);
    return inside.contains('\\') ? unescaped(inside) : inside.toByteArray();
}

void jsonMembers(QByteArrayView text, JsonSpan object, std::span<NamedSpan> members)
{
    for (NamedSpan &member : members)
        member.value = {};
    const QByteArrayView inside = object.of(text);
    JsonScanner scanner(inside);
    if (!scanner.enterObject())
        return;
    JsonSpan key;
    JsonSpan value;
    JsonScanner::Step step = JsonScanner::Step::Member;
    while ((step = scanner.nextMember(key, value)) == JsonScanner::Step::Member) {
        for (NamedSpan &member : members) {
            if (jsonStringIs(key.of(inside), member.name))
                member.value = {object.offset + value.offset, value.size};
        }
    }
    if (step == JsonScanner::Step::Fault) {
        for (NamedSpan &member : members)
            member.value = {};
    }
}

JsonSpan jsonMember(QByteArrayView text, JsonSpan object, QByteArrayView name)
{
    NamedSpan member{name};
    jsonMembers(text, object, {&member, 1});
    return member.value;
}

std::vector<QByteArray> jsonItems(QByteArrayView array)
{
    std::vector<QByteArray> items;
    array = array.trimmed();
    if (!array.startsWith('['))
        return items;
    while (array.size() > 1) {
        array = array.sliced(1); // the bracket, or a comma
        JsonScanner scanner(array);
        scanner.skipBlanks();
        const qsizetype start = scanner.offset();
        if (!scanner.skipValue())
            break; // the closing bracket
        items.push_back(array.sliced(start, scanner.offset() - start).toByteArray());
        scanner.skipBlanks();
        array = array.sliced(scanner.offset());
    }
    return items;
}

} // namespace Rekindle

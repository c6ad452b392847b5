// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "policy/internal/memberreader.h"
#include "policy/internal/memoryfields.h"
#include "statecontents_p.h"
#include "json/jsonparser.h"

#include <QCryptographicHash>

#include <algorithm>
#include <utility>

// Every value is validated, because the checksum does not protect against deliberate changes.

namespace Rekindle {

namespace {

// The value of `format` in the first line of a state file of any version.
constexpr char stateFormat[] = "rekindle-state";

constexpr qsizetype checksumSize = 32;

// An upper limit for most agents, so that the text is not copied while it grows.
constexpr qsizetype usualLineSize = 1024;

// These describe the members of a line once, for MemberWriter and MemberReader.

// The record time is 0.
void describeHost(auto &members, auto &contents)
{
    members.field("boot", contents.saved.boot);
    members.field("monoNs", contents.saved.mono);
    members.field("utc", contents.saved.utc);
    members.unlessEmpty("run", contents.run);
}

void describe(auto &members, auto &value)
{
    if constexpr (requires { value.absentSince; }) {
        members.field("seenAtNs", value.absentSince);
        MemoryFields::describeMemory(members, value.memory);
    } else if constexpr (requires { value.incidents; }) {
        members.field("exhausted", value.exhausted);
        members.field("rearmAtNs", value.rearmAt);
        members.field("incidentsAtNs", value.incidents);
    } else {
        MemoryFields::describeBreaker(members, value);
    }
}

// A line whose member `key` is the name, which is unique in `all`.
template<typename Value>
void readNamed(const JsonPlace &place, Instant saved, const char *key, QHash<QString, Value> &all)
{
    Value value;
    QString name;
    MemberReader members(place, saved);
    const auto namePlace = members.object().required(key);
    if (namePlace)
        namePlace->to(name);
    describe(members, value);
    if (namePlace && all.contains(name))
        namePlace->fault(QStringLiteral("duplicate"));
    all.insert(name, value);
}

template<typename Describe>
void writeLine(QByteArray &out, Instant saved, Describe describe)
{
    MemberWriter(out, saved).members(describe);
    out += '\n';
}

QByteArray headerLine(const QByteArray &checksum)
{
    QByteArray line;
    writeLine(line, {}, [&checksum](MemberWriter &members) {
        members.field("format", QLatin1String(stateFormat));
        members.field("version", stateVersion);
        members.field("sha256", QLatin1String(checksum));
    });
    return line;
}

// Returns the fault of the line, or an empty text.
template<typename Read>
QString readLine(const QByteArray &line, qsizetype number, Read read)
{
    const Parsed<bool> parsed = readParsed(parseJson(line), [&read](const JsonPlace &place) {
        read(place);
        return true;
    });
    if (parsed)
        return {};
    Fault fault = parsed.faults.constFirst();
    fault.line = static_cast<int>(number);
    return QStringLiteral("damaged: %1").arg(fault.toString());
}

// All versions have `format` and `version` in the first line.
QString faultOfHeader(const QByteArray &line, QByteArrayView body)
{
    const Parsed<JsonNode> parsed = parseJson(line);
    if (!parsed)
        return QStringLiteral("damaged: the first line is malformed");
    const JsonNode *const format = parsed.value->member("format");
    if (!format || format->text != QLatin1String(stateFormat))
        return QStringLiteral("not a state file");
    const JsonNode *const version = parsed.value->member("version");
    const std::optional<qint64> number = version ? version->integer : std::nullopt;
    if (!number)
        return QStringLiteral("damaged: no version");
    if (*number > stateVersion)
        return QStringLiteral("written by a newer version (format %1; this version supports %2)")
            .arg(*number)
            .arg(stateVersion);
    if (*number < stateVersion)
        return QStringLiteral("format %1 is no longer supported").arg(*number);
    const JsonNode *const sum = parsed.value->member("sha256");
    QCryptographicHash hash(QCryptographicHash::Sha256);
    hash.addData(body);
    if (sum == nullptr || sum->text != QString::fromLatin1(hash.result().toHex()))
        return QStringLiteral("damaged: wrong checksum");
    return {};
}

} // namespace

QByteArray toText(const StateContents &contents)
{
    const Instant saved = contents.saved.mono;
    // Agents without `absentSince` belong to this host.
    std::vector<std::pair<Duration, QString>> order;
    for (auto it = contents.agents.cbegin(); it != contents.agents.cend(); ++it)
        order.emplace_back(it->absentSince ? saved - *it->absentSince : Duration::min(), it.key());
    std::sort(order.begin(), order.end());
    order.resize(std::min(order.size(), std::size_t{maxStoredAgents}));

    // The header has the same size with every checksum.
    QByteArray text = headerLine(QByteArray(2 * checksumSize, '0'));
    const qsizetype bodyStart = text.size();
    text.reserve(bodyStart + usualLineSize * (1 + static_cast<qsizetype>(order.size())));
    writeLine(text, {}, [&contents](MemberWriter &members) { describeHost(members, contents); });
    const auto writeNamed = [&](const char *key, const QString &name, const auto &value) {
        writeLine(text, saved, [&](MemberWriter &members) {
            members.field(key, name);
            describe(members, value);
        });
    };
    for (const auto &entry : order)
        writeNamed("agent", entry.second, *contents.agents.constFind(entry.second));
    for (auto it = contents.sharedBreakers.cbegin(); it != contents.sharedBreakers.cend(); ++it)
        writeNamed("sharedBreaker", it.key(), it.value());
    for (auto it = contents.groups.cbegin(); it != contents.groups.cend(); ++it)
        writeNamed("group", it.key(), it.value());
    const QByteArray sum = QCryptographicHash::hash(QByteArrayView(text).sliced(bodyStart),
                                                    QCryptographicHash::Sha256);
    return text.replace(0, bodyStart, headerLine(sum.toHex()));
}

StateReading stateFromText(const QByteArray &text)
{
    if (text.isEmpty())
        return {{}, QStringLiteral("damaged: the file is empty")};
    const qsizetype end = text.indexOf('\n');
    const QByteArray header = text.left(end < 0 ? text.size() : end);
    const QByteArray body = end < 0 ? QByteArray() : text.mid(end + 1);
    // Before anything else: the checksum of a huge file would delay the start.
    const QString excess = QStringLiteral("damaged: more than %1 agents").arg(maxStoredAgents);
    if (body.count('\n') > maxStoredAgents + maxStoredBreakers + maxStoredGroups + 1)
        return {{}, excess};
    StateReading reading;
    reading.fault = faultOfHeader(header, body);
    if (!reading.fault.isEmpty())
        return reading;
    QList<QByteArray> lines = body.split('\n');
    lines.removeLast(); // empty, after the last line feed
    StateContents contents;
    for (qsizetype i = 0; i < lines.size() && reading.fault.isEmpty(); ++i) {
        const auto read = [&](const JsonPlace &place) {
            const Instant saved = contents.saved.mono;
            if (i == 0) {
                MemberReader members(place, {});
                describeHost(members, contents);
            } else if (place.member("sharedBreaker"))
                readNamed(place, saved, "sharedBreaker", contents.sharedBreakers);
            else if (place.member("group"))
                readNamed(place, saved, "group", contents.groups);
            else
                readNamed(place, saved, "agent", contents.agents);
        };
        reading.fault = readLine(lines[i], i + 2, read);
    }
    if (lines.isEmpty())
        reading.fault = QStringLiteral("damaged: no time");
    else if (contents.agents.size() > maxStoredAgents && reading.fault.isEmpty())
        reading.fault = excess;
    if (reading.fault.isEmpty())
        reading.contents = contents;
    return reading;
}

} // namespace Rekindle

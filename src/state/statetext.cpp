// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "statecontents_p.h"
#include "json/jsonobjectreader.h"
#include "json/jsonparser.h"
#include "json/jsonwriter.h"

#include <QCryptographicHash>

#include <algorithm>
#include <array>
#include <utility>

// Every value is validated, because the checksum does not protect against deliberate changes.

namespace Rekindle {

namespace {

// The value of `format` in the first line of a state file of any version.
constexpr char stateFormat[] = "rekindle-state";

constexpr qsizetype checksumSize = 32;

// An upper limit for most agents, so that the text is not copied while it grows.
constexpr qsizetype usualLineSize = 1024;

constexpr int maxCount = 1'000'000'000;
constexpr qint64 maxNanoseconds = Duration(maxStateTime).count();

constexpr std::array<EnumName<PlannedStart>, 4> plannedStarts = {{
    {PlannedStart::None, QLatin1String("none")},
    {PlannedStart::Operator, QLatin1String("operator")},
    {PlannedStart::Attempt, QLatin1String("attempt")},
    {PlannedStart::Requested, QLatin1String("requested")},
}};

std::optional<qint64> nanoseconds(const JsonPlace &place, qint64 min, qint64 max)
{
    const std::optional<qint64> &found = place.node().integer;
    if (place.isNumber() && found && *found >= min && *found <= max)
        return found;
    place.mismatch(QStringLiteral("a whole number from %1 to %2").arg(min).arg(max));
    return {};
}

// Writes the members of an object. Times are nanoseconds relative to the time of the write; earlier
// times are negative.
class Writer
{
public:
    Writer(QByteArray &out, Instant saved)
        : m_json(out)
        , m_saved(saved)
    {
    }

    template<typename Describe>
    void members(Describe describe)
    {
        m_json.beginObject();
        describe(*this);
        m_json.endObject();
    }

    void field(const char *name, const auto &value) { m_json.member(QLatin1String(name), value); }
    void field(const char *name, Duration value) { field(name, qint64{value.count()}); }
    void field(const char *name, Instant value) { field(name, relative(value)); }
    template<typename Value>
    void field(const char *name, const std::optional<Value> &value)
    {
        value ? field(name, *value) : null(name);
    }
    void field(const char *name, const std::vector<Instant> &values)
    {
        m_json.key(QLatin1String(name));
        m_json.beginArray();
        for (const Instant value : values)
            m_json.value(relative(value));
        m_json.endArray();
    }
    template<typename Enum, std::size_t size>
    void field(const char *name, Enum value, const std::array<EnumName<Enum>, size> &names)
    {
        field(name, nameOf(names, value));
    }
    template<typename Describe>
    void object(const char *name, Describe describe)
    {
        m_json.key(QLatin1String(name));
        members(describe);
    }
    template<typename Describe>
    void objectOrNull(const char *name, bool isPresent, Describe describe)
    {
        isPresent ? object(name, describe) : null(name);
    }

private:
    void null(const char *name)
    {
        m_json.key(QLatin1String(name));
        m_json.null();
    }
    [[nodiscard]] qint64 relative(Instant time) const
    {
        return std::clamp<Duration>(time - m_saved, -maxStateTime, maxStateTime).count();
    }

    JsonWriter m_json;
    Instant m_saved;
};

// Reads the members of an object, all of which are required.
class Reader
{
public:
    Reader(const JsonPlace &place, Instant saved)
        : m_reader(place)
        , m_saved(saved)
    {
    }
    ~Reader() { m_reader.finish(); }
    Q_DISABLE_COPY_MOVE(Reader)

    [[nodiscard]] std::optional<JsonPlace> at(const char *name)
    {
        return m_reader.required(QString::fromLatin1(name));
    }

    /// Returns nullopt if the member is null.
    [[nodiscard]] std::optional<JsonPlace> notNull(const char *name)
    {
        std::optional<JsonPlace> place = at(name);
        return place && !place->isNull() ? place : std::nullopt;
    }

    void field(const char *name, bool &target)
    {
        if (const auto place = at(name))
            target = place->boolean().value_or(target);
    }
    void field(const char *name, int &target)
    {
        if (const auto place = at(name))
            target = place->integer(0, maxCount).value_or(target);
    }
    void field(const char *name, Duration &target)
    {
        if (const auto place = at(name))
            target = Duration(nanoseconds(*place, 0, maxNanoseconds).value_or(0));
    }
    void field(const char *name, Instant &target)
    {
        if (const auto place = at(name))
            target = time(*place).value_or(target);
    }
    void field(const char *name, std::optional<Instant> &target)
    {
        if (const auto place = notNull(name))
            target = time(*place);
    }
    void field(const char *name, std::optional<int> &target)
    {
        if (const auto place = notNull(name))
            target = place->integer(-maxCount, maxCount);
    }
    void field(const char *name, std::vector<Instant> &target)
    {
        const auto place = at(name);
        const auto items = place ? place->items() : std::nullopt;
        if (!items)
            return;
        for (const JsonPlace &item : *items)
            target.push_back(time(item).value_or(m_saved));
    }
    template<typename Enum, typename Choices>
    void field(const char *name, Enum &target, const Choices &choices)
    {
        if (const auto place = at(name))
            target = place->choice(choices).value_or(target);
    }

    void field(const char *name, double &target)
    {
        const auto place = at(name);
        if (!place)
            return;
        target = place->number().value_or(0);
        if (!(target >= 0 && target < 1))
            place->mismatch(QStringLiteral("a number from 0 to below 1"));
    }
    template<typename Describe>
    void object(const char *name, Describe describe)
    {
        if (const auto place = at(name))
            readObject(*place, describe);
    }
    template<typename Describe>
    void objectOrNull(const char *name, bool &isPresent, Describe describe)
    {
        const auto place = notNull(name);
        isPresent = place.has_value();
        if (place)
            readObject(*place, describe);
    }

private:
    template<typename Describe>
    void readObject(const JsonPlace &place, Describe describe) const
    {
        Reader members(place, m_saved);
        describe(members);
    }
    [[nodiscard]] std::optional<Instant> time(const JsonPlace &place) const
    {
        const std::optional<qint64> after = nanoseconds(place, -maxNanoseconds, maxNanoseconds);
        return after ? std::optional(m_saved + Duration(*after)) : std::nullopt;
    }

    JsonObjectReader m_reader;
    Instant m_saved;
};

// Describe the members once, for Writer and Reader.

void describeBreaker(auto &members, auto &breaker)
{
    members.field("state", breaker.state, circuitBreakerStates);
    members.field("isolated", breaker.isolated);
    members.field("failures", breaker.failureCount);
    members.field("reopened", breaker.reopened);
    if (breaker.state != CircuitBreakerState::Closed) {
        members.field("openedAtNs", breaker.openedAt);
        members.field("resetAtNs", breaker.resetAt);
    }
    members.field("lastSuccessAtNs", breaker.lastSuccessAt);
    members.field("lastFailureAtNs", breaker.lastFailureAt);
}

void describeFailure(auto &members, auto &memory)
{
    members.field("firstAtNs", memory.firstFailureAt);
    members.field("lastAtNs", memory.lastFailureAt);
    members.field("reason", memory.lastReason, failureReasons);
    members.field("exitCode", memory.lastExitCode);
    members.field("permanent", memory.lastPermanent);
    members.field("draw", memory.draw);
    members.field("plannedDelayNs", memory.plannedDelay);
    members.field("previousDelayNs", memory.previousDelay);
}

void describeAgent(auto &members, auto &agent)
{
    auto &memory = agent.memory;
    members.field("seenAtNs", agent.absentSince);
    members.field("state", memory.state, instanceStates);
    members.field("planned", memory.planned, plannedStarts);
    members.field("startAtNs", memory.startAt);
    members.field("lastStartAtNs", memory.lastStartAt);
    members.field("attempt", memory.attempt);
    members.field("onceReady", memory.onceReady);
    members.objectOrNull("failure", memory.inSequence,
                         [&memory](auto &inner) { describeFailure(inner, memory); });
    members.object("breaker", [&memory](auto &inner) { describeBreaker(inner, memory.breaker); });
    members.field("restartsAtNs", memory.restarts);
    members.field("requestsAtNs", memory.requests);
}

void readAgent(const JsonPlace &place, StateContents &contents)
{
    StoredAgent agent;
    Reader members(place, contents.saved.mono);
    const auto namePlace = members.at("agent");
    const QString name = namePlace ? namePlace->textNotEmpty().value_or(QString()) : QString();
    describeAgent(members, agent);
    if (namePlace && contents.agents.contains(name))
        namePlace->fault(QStringLiteral("duplicate"));
    contents.agents.insert(name, agent);
}

template<typename Describe>
void writeLine(QByteArray &out, Instant saved, Describe describe)
{
    Writer(out, saved).members(describe);
    out += '\n';
}

QByteArray headerLine(const QByteArray &checksum)
{
    QByteArray line;
    writeLine(line, {}, [&checksum](Writer &members) {
        members.field("format", QLatin1String(stateFormat));
        members.field("version", stateVersion);
        members.field("sha256", QLatin1String(checksum));
    });
    return line;
}

void readSavedTime(const JsonPlace &place, StateContents &contents)
{
    JsonObjectReader reader(place);
    if (const auto boot = reader.required(QStringLiteral("boot")))
        contents.saved.boot = boot->text().value_or(QString());
    if (const auto mono = reader.required(QStringLiteral("monoNs")))
        contents.saved.mono = Instant(Duration(nanoseconds(*mono, 0, maxNanoseconds).value_or(0)));
    if (const auto utc = reader.required(QStringLiteral("utc"))) {
        const auto time = utcTimeFromRfc3339(utc->text().value_or(QString()));
        if (!time)
            utc->mismatch(QStringLiteral("a time such as 2026-01-31T12:00:00.000Z"));
        contents.saved.utc = time.value_or(UtcTime{});
    }
    reader.finish();
}

// Returns the fault of the line, or an empty text.
template<typename Read>
QString readLine(const QByteArray &line, qsizetype number, Read read)
{
    const Parsed<JsonNode> parsed = parseJson(line);
    Fault fault;
    if (!parsed) {
        fault = parsed.faults.constFirst();
    } else {
        JsonFaults faults;
        read(JsonPlace(*parsed.value, {}, faults));
        if (faults.errorCount() == 0)
            return {};
        fault = faults.result(0).faults.constFirst();
    }
    fault.line = static_cast<int>(number);
    return QStringLiteral("damaged: %1").arg(fault.toString());
}

// All versions have `format` and `version` in the first line.
QString faultOfHeader(const QByteArray &line, QByteArrayView body)
{
    const Parsed<JsonNode> parsed = parseJson(line);
    if (!parsed)
        return QStringLiteral("damaged: the first line is malformed");
    const JsonNode *const format = parsed.value->member(u"format");
    if (!format || format->text != QLatin1String(stateFormat))
        return QStringLiteral("not a state file");
    const JsonNode *const version = parsed.value->member(u"version");
    const std::optional<qint64> number = version ? version->integer : std::nullopt;
    if (!number)
        return QStringLiteral("damaged: no version");
    if (*number > stateVersion)
        return QStringLiteral("written by a newer version (format %1; this version supports %2)")
            .arg(*number)
            .arg(stateVersion);
    if (*number < stateVersion)
        return QStringLiteral("format %1 is no longer supported").arg(*number);
    const JsonNode *const sum = parsed.value->member(u"sha256");
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
    writeLine(text, saved, [&contents](Writer &members) {
        members.field("boot", contents.saved.boot);
        members.field("monoNs", contents.saved.mono.time_since_epoch());
        members.field("utc", toRfc3339(contents.saved.utc));
    });
    for (const auto &entry : order) {
        writeLine(text, saved, [&contents, &name = entry.second](Writer &members) {
            members.field("agent", name);
            describeAgent(members, *contents.agents.constFind(name));
        });
    }
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
    if (body.count('\n') > maxStoredAgents + 1)
        return {{}, QStringLiteral("damaged: more than %1 agents").arg(maxStoredAgents)};
    StateReading reading;
    reading.fault = faultOfHeader(header, body);
    if (!reading.fault.isEmpty())
        return reading;
    QList<QByteArray> lines = body.split('\n');
    lines.removeLast(); // empty, after the last line feed
    StateContents contents;
    for (qsizetype i = 0; i < lines.size() && reading.fault.isEmpty(); ++i) {
        const auto read = [&](const JsonPlace &place) {
            if (i == 0)
                readSavedTime(place, contents);
            else
                readAgent(place, contents);
        };
        reading.fault = readLine(lines[i], i + 2, read);
    }
    if (lines.isEmpty())
        reading.fault = QStringLiteral("damaged: no time");
    if (reading.fault.isEmpty())
        reading.contents = contents;
    return reading;
}

} // namespace Rekindle

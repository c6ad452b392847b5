// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "statecontents_p.h"
#include "statenames_p.h"
#include "json/jsonobjectreader.h"
#include "json/jsonparser.h"

#include <QCryptographicHash>

#include <algorithm>

// Every value is validated, because the checksum does not protect against deliberate changes.

namespace Rekindle {

namespace {

constexpr int maxCount = 1'000'000'000;
constexpr qint64 maxNanoseconds = Duration(maxStateTime).count();

std::optional<qint64> nanoseconds(const JsonPlace &place, qint64 min, qint64 max)
{
    const std::optional<qint64> &found = place.node().integer;
    if (place.isNumber() && found && *found >= min && *found <= max)
        return found;
    place.mismatch(QStringLiteral("a whole number from %1 to %2").arg(min).arg(max));
    return {};
}

// The members of an object, all of which are required.
class Members
{
public:
    Members(const JsonPlace &place, Instant saved)
        : m_reader(place)
        , m_saved(saved)
    {
    }
    ~Members() { m_reader.finish(); }
    Q_DISABLE_COPY_MOVE(Members)

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

    void read(const char *name, bool &target)
    {
        if (const auto place = at(name))
            target = place->boolean().value_or(target);
    }
    void read(const char *name, int &target)
    {
        if (const auto place = at(name))
            target = place->integer(0, maxCount).value_or(target);
    }
    void read(const char *name, Duration &target)
    {
        if (const auto place = at(name))
            target = Duration(nanoseconds(*place, 0, maxNanoseconds).value_or(0));
    }
    void read(const char *name, Instant &target)
    {
        if (const auto place = at(name))
            target = time(*place).value_or(target);
    }
    void read(const char *name, std::optional<Instant> &target)
    {
        if (const auto place = notNull(name))
            target = time(*place);
    }
    void read(const char *name, std::vector<Instant> &target)
    {
        const auto place = at(name);
        const auto items = place ? place->items() : std::nullopt;
        if (!items)
            return;
        for (const JsonPlace &item : *items)
            target.push_back(time(item).value_or(m_saved));
    }
    template<typename Enum, typename Choices>
    void read(const char *name, Enum &target, const Choices &choices)
    {
        if (const auto place = at(name))
            target = place->choice(choices).value_or(target);
    }

private:
    [[nodiscard]] std::optional<Instant> time(const JsonPlace &place) const
    {
        const std::optional<qint64> after = nanoseconds(place, -maxNanoseconds, maxNanoseconds);
        return after ? std::optional(m_saved + Duration(*after)) : std::nullopt;
    }

    JsonObjectReader m_reader;
    Instant m_saved;
};

CircuitBreakerSnapshot readBreaker(const JsonPlace &place, Instant saved)
{
    CircuitBreakerSnapshot breaker;
    Members members(place, saved);
    members.read("state", breaker.state, circuitBreakerStates);
    members.read("isolated", breaker.isolated);
    members.read("failures", breaker.failureCount);
    members.read("reopened", breaker.reopened);
    if (breaker.state != CircuitBreakerState::Closed) {
        members.read("openedAtNs", breaker.openedAt);
        members.read("resetAtNs", breaker.resetAt);
    }
    members.read("lastSuccessAtNs", breaker.lastSuccessAt);
    members.read("lastFailureAtNs", breaker.lastFailureAt);
    return breaker;
}

void readFailure(const JsonPlace &place, Instant saved, InstanceMemory &memory)
{
    memory.inSequence = true;
    Members members(place, saved);
    members.read("firstAtNs", memory.firstFailureAt);
    members.read("lastAtNs", memory.lastFailureAt);
    members.read("reason", memory.lastReason, failureReasons);
    if (const auto code = members.notNull("exitCode"))
        memory.lastExitCode = code->integer(-maxCount, maxCount);
    members.read("permanent", memory.lastPermanent);
    if (const auto draw = members.at("draw")) {
        memory.draw = draw->number().value_or(0);
        if (!(memory.draw >= 0 && memory.draw < 1))
            draw->mismatch(QStringLiteral("a number from 0 to below 1"));
    }
    members.read("plannedDelayNs", memory.plannedDelay);
    members.read("previousDelayNs", memory.previousDelay);
}

void readAgent(const JsonPlace &place, StateContents &contents)
{
    const Instant saved = contents.saved.mono;
    StoredAgent agent;
    InstanceMemory &memory = agent.memory;
    Members members(place, saved);
    const auto namePlace = members.at("agent");
    const QString name = namePlace ? namePlace->textNotEmpty().value_or(QString()) : QString();
    members.read("seenAtNs", agent.absentSince);
    members.read("state", memory.state, instanceStates);
    members.read("planned", memory.planned, plannedStarts);
    members.read("startAtNs", memory.startAt);
    members.read("lastStartAtNs", memory.lastStartAt);
    members.read("attempt", memory.attempt);
    members.read("onceReady", memory.onceReady);
    if (const auto failure = members.notNull("failure"))
        readFailure(*failure, saved, memory);
    if (const auto breaker = members.at("breaker"))
        memory.breaker = readBreaker(*breaker, saved);
    members.read("restartsAtNs", memory.restarts);
    members.read("requestsAtNs", memory.requests);
    if (namePlace && contents.agents.contains(name))
        namePlace->fault(QStringLiteral("duplicate"));
    contents.agents.insert(name, agent);
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
    const JsonNode *const format = parsed ? parsed.value->member(u"format") : nullptr;
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
    hash.addData(body.toByteArray());
    if (!sum || sum->text != QString::fromLatin1(hash.result().toHex()))
        return QStringLiteral("damaged: wrong checksum");
    return {};
}

} // namespace

StateReading stateFromText(const QByteArray &text)
{
    if (text.isEmpty())
        return {{}, QStringLiteral("damaged: the file is empty")};
    const qsizetype end = text.indexOf('\n');
    const QByteArray header = text.left(end < 0 ? text.size() : end);
    const QByteArray body = end < 0 ? QByteArray() : text.mid(end + 1);
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

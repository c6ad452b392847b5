// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "statecontents_p.h"

#include "statenames_p.h"

#include <QCryptographicHash>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace Rekindle {

namespace {

using Json = nlohmann::ordered_json;

// Writes times as nanoseconds relative to the time of the write; earlier times are negative.
class Relative
{
public:
    explicit Relative(Instant saved)
        : m_saved(saved)
    {
    }

    Json operator()(Instant time) const
    {
        return std::clamp<Duration>(time - m_saved, -maxStateTime, maxStateTime).count();
    }
    Json operator()(const std::optional<Instant> &time) const
    {
        return time ? (*this)(*time) : Json(nullptr);
    }
    Json operator()(const std::vector<Instant> &times) const
    {
        Json list = Json::array();
        for (const Instant time : times)
            list.push_back((*this)(time));
        return list;
    }

private:
    Instant m_saved;
};

std::string text(const QString &string) { return string.toStdString(); }

QByteArray line(const Json &json)
{
    return QByteArray::fromStdString(json.dump(-1, ' ', false, Json::error_handler_t::replace))
        + '\n';
}

Json asJson(const CircuitBreakerSnapshot &breaker, const Relative &at)
{
    Json json;
    json["state"] = text(toText(breaker.state));
    json["isolated"] = breaker.isolated;
    json["failures"] = breaker.failureCount;
    json["reopened"] = breaker.reopened;
    if (breaker.state != CircuitBreakerState::Closed) {
        json["openedAtNs"] = at(breaker.openedAt);
        json["resetAtNs"] = at(breaker.resetAt);
    }
    json["lastSuccessAtNs"] = at(breaker.lastSuccessAt);
    json["lastFailureAtNs"] = at(breaker.lastFailureAt);
    return json;
}

Json failureAsJson(const InstanceMemory &memory, const Relative &at)
{
    return {{"firstAtNs", at(memory.firstFailureAt)},
            {"lastAtNs", at(memory.lastFailureAt)},
            {"reason", text(toText(memory.lastReason))},
            {"exitCode", memory.lastExitCode ? Json(*memory.lastExitCode) : Json(nullptr)},
            {"permanent", memory.lastPermanent},
            {"draw", memory.draw},
            {"plannedDelayNs", memory.plannedDelay.count()},
            {"previousDelayNs", memory.previousDelay.count()}};
}

Json asJson(const QString &name, const StoredAgent &agent, const Relative &at)
{
    const InstanceMemory &memory = agent.memory;
    Json json;
    json["agent"] = text(name);
    json["seenAtNs"] = at(agent.absentSince);
    json["state"] = text(toText(memory.state));
    json["planned"] = text(nameOf(plannedStarts, memory.planned));
    json["startAtNs"] = at(memory.startAt);
    json["lastStartAtNs"] = at(memory.lastStartAt);
    json["attempt"] = memory.attempt;
    json["onceReady"] = memory.onceReady;
    json["failure"] = memory.inSequence ? failureAsJson(memory, at) : Json(nullptr);
    json["breaker"] = asJson(memory.breaker, at);
    json["restartsAtNs"] = at(memory.restarts);
    json["requestsAtNs"] = at(memory.requests);
    return json;
}

} // namespace

void recordOrderlyExit(InstanceMemory &memory)
{
    memory.state = InstanceState::Stopped;
    memory.planned = PlannedStart::None;
    memory.startAt.reset();
    memory.attempt = 0;
    memory.inSequence = false;
    memory.breaker.isolated = false; // as after a start by an operator
}

bool continuesAfterKill(const InstanceMemory &memory)
{
    switch (memory.state) {
    case InstanceState::Stopped:
    case InstanceState::Exhausted:
    case InstanceState::Failed:
    case InstanceState::Gated:
        return false;
    case InstanceState::Stopping:
        return memory.planned == PlannedStart::Requested;
    default:
        return true;
    }
}

Duration elapsed(const SavedTime &saved, const SavedTime &now)
{
    const bool sameBoot = !saved.boot.isEmpty() && saved.boot == now.boot && saved.mono <= now.mono;
    if (sameBoot)
        return std::min<Duration>(now.mono - saved.mono, maxStateTime);
    // In milliseconds, because the difference of wall-clock times may exceed the range of
    // nanoseconds.
    using std::chrono::milliseconds;
    return std::clamp<milliseconds>(now.utc - saved.utc, milliseconds{0}, maxStateTime);
}

StateContents StateContents::movedTo(const SavedTime &now) const
{
    const Duration shift = now.mono - (saved.mono + elapsed(saved, now));
    StateContents moved;
    moved.saved = now;
    for (auto it = agents.cbegin(); it != agents.cend(); ++it) {
        // The age of the file is not used: a host may have had the agent without writing the file.
        const Instant absentSince = it->absentSince ? *it->absentSince + shift : now.mono;
        moved.agents.insert(it.key(), {it->memory.shiftedBy(shift), absentSince});
    }
    return moved;
}

QByteArray toText(const StateContents &contents)
{
    const Relative at(contents.saved.mono);
    QByteArray body = line({{"boot", text(contents.saved.boot)},
                            {"monoNs", contents.saved.mono.time_since_epoch().count()},
                            {"utc", text(toRfc3339(contents.saved.utc))}});
    QStringList names = contents.agents.keys();
    names.sort();
    for (const QString &name : std::as_const(names))
        body += line(asJson(name, *contents.agents.constFind(name), at));
    const QByteArray sum = QCryptographicHash::hash(body, QCryptographicHash::Sha256).toHex();
    return line({{"format", stateFormat}, {"version", stateVersion}, {"sha256", sum.toStdString()}})
        + body;
}

} // namespace Rekindle

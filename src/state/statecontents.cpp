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

// Moments as nanoseconds after the one at which the file was written; before it they are negative.
class Relative
{
public:
    explicit Relative(Instant saved)
        : m_saved(saved)
    {
    }

    Json operator()(Instant moment) const
    {
        return std::clamp<Duration>(moment - m_saved, -longestStateTime, longestStateTime).count();
    }
    Json operator()(const std::optional<Instant> &moment) const
    {
        return moment ? (*this)(*moment) : Json(nullptr);
    }
    Json operator()(const std::vector<Instant> &moments) const
    {
        Json list = Json::array();
        for (const Instant moment : moments)
            list.push_back((*this)(moment));
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

Json asJson(const QString &name, const RememberedAgent &agent, const Relative &at)
{
    const InstanceMemory &memory = agent.memory;
    Json json;
    json["agent"] = text(name);
    json["seenAtNs"] = at(agent.seenAt);
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

void stopOrderly(InstanceMemory &memory)
{
    memory.state = InstanceState::Stopped;
    memory.planned = PlannedStart::None;
    memory.startAt.reset();
    memory.attempt = 0;
    memory.inSequence = false;
    memory.breaker.isolated = false; // as an operator's start has it
}

bool goesOn(const InstanceMemory &memory)
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

Duration elapsed(const SavedMoment &saved, const SavedMoment &now)
{
    const bool sameBoot = !saved.boot.isEmpty() && saved.boot == now.boot && saved.mono <= now.mono;
    if (sameBoot)
        return std::min<Duration>(now.mono - saved.mono, longestStateTime);
    // In milliseconds, for a wall clock may be further away than nanoseconds can count.
    using std::chrono::milliseconds;
    return std::clamp<milliseconds>(now.utc - saved.utc, milliseconds{0}, longestStateTime);
}

StateContents StateContents::movedTo(const SavedMoment &now) const
{
    const Duration shift = now.mono - (saved.mono + elapsed(saved, now));
    StateContents moved;
    moved.saved = now;
    for (auto it = agents.cbegin(); it != agents.cend(); ++it) {
        // How old the file is says nothing: a host that had nothing to write may have had the
        // agent.
        const Instant seenAt = it->seenAt ? *it->seenAt + shift : now.mono;
        moved.agents.insert(it.key(), {it->memory.shiftedBy(shift), seenAt});
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

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/agenthealthstatus.h>
#include <rekindle/policy/enums.h>
#include <rekindle/policy/grouptable.h>
#include <rekindle/policy/lifecycleevent.h>

#include <QByteArray>
#include <QList>
#include <QString>
#include <QStringList>
#include <QUuid>

#include <array>
#include <chrono>
#include <optional>

// What a host sends to a ControlClient. docs/control.md describes the members. Members that are
// missing, because the host has another version, have their default values. Times are relative,
// because the clocks of client and host may differ. States are texts, because a newer host can send
// one that this version does not know. valueOf(instanceStates, agent.state) returns the enum.
//
// fields() lists the members of a message with their JSON keys. Host and client pass it a writer or
// a reader; hosts do not call it. An empty value is null with orNull(), and left out with
// optional().

namespace Rekindle {

/// What a host reports about itself.
struct HostInfo
{
    QString name{};
    qint64 processId = 0;
    QString version{};
    QString run{};           ///< unique for each host process
    QString configuration{}; ///< its file; empty if there is none
    QStringList features{};  ///< the optional parts of the protocol that it supports

    static void fields(auto &io, auto &s)
    {
        io("name", s.name, "pid", s.processId, "version", s.version, "run", s.run);
        io("config", io.orNull(s.configuration));
    }
};

/// An agent of a host.
struct AgentStatus
{
    /// Its circuit breaker.
    struct Breaker
    {
        QString state{};
        bool isolated = false;
        int failures = 0;
        std::optional<Duration> resetIn{}; ///< until it is half-open

        static void fields(auto &io, auto &s)
        {
            io("state", s.state, "isolated", s.isolated, "failures", s.failures);
            io("resetInMs", s.resetIn);
        }
    };
    /// The result of its health probes.
    struct Health
    {
        QString state{};
        int consecutiveFailures = 0;
        QString detail{}; ///< the last answer

        static void fields(auto &io, auto &s)
        {
            io("state", s.state, "consecutiveFailures", s.consecutiveFailures);
            io("detail", s.detail);
        }
    };
    /// Its last failure.
    struct LastFailure
    {
        QString reason{};
        QString text{};                          ///< for people
        std::optional<QStringList> stderrTail{}; ///< the last lines; only of ControlClient::agent()

        static void fields(auto &io, auto &s)
        {
            io("reason", s.reason, "text", s.text, "stderrTail", io.optional(s.stderrTail));
        }
    };

    /// On which node of the fleet it runs.
    struct Placement
    {
        /// "unknown", "malformed", "running", "stopping", "writing", "noLease", "withdrawn",
        /// "draining", "elsewhere" or "waiting"
        QString state{};
        QString node{};                        ///< that owns it; empty: none, or not known
        qint64 token = 0;                      ///< of the owner; 0: there was none
        std::optional<Duration> leaseEndsIn{}; ///< if it runs on this node
        QString text{};                        ///< for people: "runs on b"

        static void fields(auto &io, auto &s)
        {
            io("state", s.state, "node", io.orNull(s.node), "token", s.token);
            io("leaseEndsInMs", s.leaseEndsIn, "text", s.text);
        }
    };

    QString agent{}; ///< its name
    QUuid instanceId{};
    QString state{};
    bool stoppedByOperator = false;
    QString stopReason{};
    quint64 generation = 0;          ///< number of starts
    int attempt = 0;                 ///< restarts of the current sequence
    std::optional<int> maxRetries{}; ///< empty: unlimited
    std::optional<qint64> processId{};
    std::optional<Duration> uptime{};
    std::optional<std::chrono::milliseconds> cpuTime{}; ///< of the process, since its start
    std::optional<qint64> memoryBytes{};                ///< resident
    std::optional<Duration> nextStartIn{};
    QStringList holds{};     ///< toTexts(Holds)
    QStringList holdTexts{}; ///< the same for people, with the causes
    std::optional<Breaker> breaker{};
    Health health{};
    std::optional<LastFailure> lastFailure{};
    QString statusText{}; ///< of the agent itself
    QStringList tags{};
    QString group{};
    QString start{};                      ///< "auto" or "manual"
    std::optional<Placement> placement{}; ///< of a placed agent

    static void fields(auto &io, auto &s)
    {
        io("agent", s.agent, "instanceId", s.instanceId, "state", s.state);
        io("stoppedByOperator", s.stoppedByOperator, "stopReason", io.orNull(s.stopReason));
        io("generation", s.generation, "attempt", s.attempt, "maxRetries", s.maxRetries);
        io("pid", s.processId, "uptimeMs", s.uptime, "cpuMs", s.cpuTime);
        io("memoryBytes", s.memoryBytes, "nextStartInMs", s.nextStartIn);
        io("holds", s.holds, "holdTexts", s.holdTexts, "breaker", s.breaker);
        io("health", s.health, "lastFailure", s.lastFailure);
        io("statusText", io.orNull(s.statusText), "tags", s.tags);
        io("group", io.orNull(s.group), "start", s.start);
        io("placement", io.optional(s.placement));
    }
};

/// A group of agents.
struct GroupStatus
{
    /// One of both names is set.
    struct Member
    {
        QString agent{};
        QString group{};

        static void fields(auto &io, auto &s)
        {
            io("agent", io.optional(s.agent), "group", io.optional(s.group));
        }
    };

    QString name{};
    QString state{};
    QString strategy{};  ///< toText(GroupStrategy)
    qint64 failures = 0; ///< of members, within the period
    int maxRestarts = 0;
    Duration period{};
    std::optional<Duration> startIn{}; ///< of a group that has given up
    QList<Member> members{};

    static void fields(auto &io, auto &s)
    {
        io("name", s.name, "state", s.state, "strategy", s.strategy);
        io("failures", s.failures, "maxRestarts", s.maxRestarts, "periodMs", s.period);
        io("startInMs", s.startIn, "members", s.members);
    }
};

/// A circuit breaker that several agents share.
struct SharedBreakerStatus
{
    QString name{};
    QString state{};
    bool isolated = false;
    std::optional<Duration> resetIn{}; ///< until the next trial
    QString trial{};                   ///< the agent that is started as the trial
    qint64 failures = 0;
    int threshold = 0;
    qint64 failedAgents = 0;
    int agentsToOpen = 0;
    QStringList agents{};

    static void fields(auto &io, auto &s)
    {
        io("name", s.name, "state", s.state, "isolated", s.isolated);
        io("resetInMs", s.resetIn, "trial", io.orNull(s.trial), "failures", s.failures);
        io("threshold", s.threshold, "failedAgents", s.failedAgents);
        io("agentsToOpen", s.agentsToOpen, "agents", s.agents);
    }
};

/// The agents of a host.
struct HostStatus
{
    struct Governor
    {
        qint64 queued = 0;   ///< starts that wait for it
        qint64 starting = 0; ///< agents that are not ready yet

        static void fields(auto &io, auto &s) { io("queued", s.queued, "starting", s.starting); }
    };
    struct Store
    {
        qint64 droppedRows = 0; ///< since the start of the host
        QString failure{};      ///< why it cannot be written now; empty if it can

        static void fields(auto &io, auto &s)
        {
            io("droppedRows", s.droppedRows, "failure", io.optional(s.failure));
        }
    };

    QList<AgentStatus> agents{};
    QList<GroupStatus> groups{};                 ///< of these agents
    QList<SharedBreakerStatus> sharedBreakers{}; ///< of these agents
    std::optional<Governor> governor{};
    std::optional<Store> store{}; ///< of telemetry
    QString cursor{};             ///< of the events so far

    static void fields(auto &io, auto &s)
    {
        io("agents", s.agents, "groups", s.groups, "sharedBreakers", s.sharedBreakers);
        io("governor", s.governor, "store", s.store, "cursor", s.cursor);
    }
};

/// The fleet as one of its hosts sees it.
struct FleetStatus
{
    /// A node that has, or had, a session.
    struct Node
    {
        QString node{};
        QString run{}; ///< of its host; empty: no session, or its record is malformed
        bool isDraining = false;
        std::optional<Duration> renewed{}; ///< the time since its last renewal was observed
        /// The time until its agents are taken over, if no further renewal is observed.
        std::optional<Duration> lostIn{};
        /// The time since it was observed that it has no session; empty: it has one.
        std::optional<Duration> absent{};

        static void fields(auto &io, auto &s)
        {
            io("node", s.node, "run", io.orNull(s.run), "draining", s.isDraining);
            io("renewedMs", s.renewed, "lostInMs", s.lostIn, "absentMs", s.absent);
        }
    };
    /// A placed agent of this host's configuration.
    struct Agent
    {
        QString agent{};
        AgentStatus::Placement placement{};
        std::optional<Duration> since{}; ///< how long this owner, or that it is free, is known
        std::optional<Duration> dueIn{}; ///< until this node acquires it, if nothing changes

        static void fields(auto &io, auto &s)
        {
            io("agent", s.agent, "placement", s.placement);
            io("sinceMs", s.since, "dueInMs", s.dueIn);
        }
    };

    QString node{};                         ///< of this host
    std::optional<Duration> leaseEndsIn{};  ///< empty: it has no lease
    std::optional<Duration> storeLostFor{}; ///< empty: the store answers
    QString storeError{};                   ///< of the last request; empty: the store answers
    bool isDraining = false;
    bool isDrained = false; ///< and no agent is left
    QList<Node> nodes{};
    QList<Agent> agents{};

    static void fields(auto &io, auto &s)
    {
        io("node", s.node, "leaseEndsInMs", s.leaseEndsIn, "storeLostMs", s.storeLostFor);
        io("storeError", io.orNull(s.storeError));
        io("draining", s.isDraining, "drained", s.isDrained);
        io("nodes", s.nodes, "agents", s.agents);
    }
};

/// The methods of the operations.
inline constexpr std::array<EnumName<ControlOperation>, 7> controlOperations = {{
    {ControlOperation::Start, QLatin1String("agents.start")},
    {ControlOperation::Stop, QLatin1String("agents.stop")},
    {ControlOperation::Restart, QLatin1String("agents.restart")},
    {ControlOperation::Retry, QLatin1String("agents.retry")},
    {ControlOperation::ResetBreaker, QLatin1String("breaker.reset")},
    {ControlOperation::IsolateBreaker, QLatin1String("breaker.isolate")},
    {ControlOperation::ReleaseBreaker, QLatin1String("breaker.release")},
}};

/// The result of an operation on an agent or a circuit breaker.
struct OperationResult
{
    QString agent{}; ///< empty for a circuit breaker
    bool isAccepted = false;
    QString state{};                  ///< of the agent or breaker, afterwards
    QStringList holdTexts{};          ///< why the start has to wait
    QString noEffect{};               ///< why it was not accepted
    QStringList openSharedBreakers{}; ///< they prevent it
    bool isRemoved = false;           ///< by a reload
    QStringList alsoStarted{};        ///< dependencies of the agent
    QStringList effects{};            ///< what else an accepted request did, in words

    static void fields(auto &io, auto &s)
    {
        io("agent", s.agent, "accepted", s.isAccepted, "state", io.orNull(s.state));
        io("holdTexts", s.holdTexts, "noEffect", io.optional(s.noEffect));
        io("openSharedBreakers", io.optional(s.openSharedBreakers));
        io("removed", io.optional(s.isRemoved), "alsoStarted", io.optional(s.alsoStarted));
        io("effects", io.optional(s.effects));
    }
};

/// Which events a client receives.
struct EventSelection
{
    QString from = QStringLiteral("now"); ///< or "recent", "oldest" or a cursor
    QStringList types{};                  ///< only these, see eventTypes(); empty: all
    QStringList agents{};                 ///< only those of these; empty: all
    bool untilNow = false;                ///< only the events that precede the request
};

/// An event of a host.
struct ControlEvent
{
    QString cursor{}; ///< the position after it
    QString type{};   ///< see eventType()
    QString agent{};
    UtcTime time{};
    QByteArray data{}; ///< JSON, see eventFromJson()
    QByteArray json{}; ///< the whole event, CloudEvents JSON

    /// Nothing if it is of a type of a newer version.
    [[nodiscard]] std::optional<LifecycleEvent> event() const
    {
        std::optional<LifecycleEvent> known = eventFromJson(type, data);
        if (known) // the data has no time
            std::visit([this](EventHeader &common) { common.time = time; }, *known);
        return known;
    }
};

/// A line that an agent has written.
struct OutputLine
{
    QString agent{}; ///< of a line that is followed
    std::optional<qint64> processId{};
    QString stream{}; ///< "stdout" or "stderr"
    QString text{};
    std::optional<UtcTime> time{}; ///< empty for a line of a file

    static void fields(auto &io, auto &s)
    {
        io("agent", io.optional(s.agent), "pid", io.optional(s.processId));
        io("stream", s.stream, "text", s.text, "time", io.optional(s.time));
    }
};

} // namespace Rekindle

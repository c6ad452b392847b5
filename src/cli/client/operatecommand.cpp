// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "agentchoice_p.h"
#include "cli/output/texthelpers_p.h"
#include "control/internal/messagejson.h"
#include "hostcommand_p.h"
#include "statustext_p.h"

#include <QJsonArray>
#include <QJsonDocument>

// The commands that operate agents of a running host: start, stop, restart, retry, reset, isolate
// and release.

namespace Rekindle {

namespace {

struct HostOperation
{
    const char *name = nullptr;    ///< of the command and its method
    const char *done = nullptr;    ///< what is printed for each agent
    const char *awaited = nullptr; ///< the state for which --wait waits; null: not offered
    bool isForBreaker = false;
};

/// Sends a request about agents to a running host, and prints one line for each agent.
class OperateCommand final : public HostCommand
{
public:
    explicit OperateCommand(const HostOperation &operation)
        : m_operation(operation)
    {
    }

protected:
    void addOwnOptions(CLI::App &command) override
    {
        const bool canWait = m_operation.awaited != nullptr;
        m_choice.addTo(command, "The agents", AgentChoice::Default::None);
        if (m_operation.isForBreaker)
            m_choice.addSharedTo(command, "A shared breaker, instead of AGENT");
        if (canWait) {
            CLI::Option *const wait =
                command.add_flag("--wait", m_isWaiting,
                                 std::string("Wait until the agents are ") + m_operation.awaited);
            addDuration(command, "--timeout", m_timeout,
                        "With --wait: wait at most this long (default: no limit)")
                ->needs(wait);
        }
        addText(command, "--reason", m_reason,
                "Reason of the request, for events and the audit trail", "TEXT");
        command.add_flag("--json", m_json, "Print one JSON array");
    }

    int executeOn(HostConnection &host, Messages &messages) override
    {
        const QString &shared = m_choice.sharedBreaker();
        const QStringList names = shared.isEmpty() ? m_choice.names(host) : QStringList(shared);
        QJsonArray results;
        std::optional<CommandFailure> failure;
        try {
            request(host, names, results);
        } catch (const CommandFailure &each) {
            failure = each; // after the results of the requests before
        }
        const int printed = print(messages, m_json ? asJson(results) : asText(results));
        if (failure)
            return failure->exitCode;
        const bool isRefused =
            std::any_of(results.begin(), results.end(), [this](const auto &each) {
                return isFailure(fromJson<OperationResult>(each));
            });
        if (isRefused)
            return ExitCode::refused;
        if (m_isWaiting)
            host.waitForState(QLatin1String(m_operation.awaited), names, m_timeout);
        return printed;
    }

private:
    // An agent that --all or --tag has selected may need nothing, or may have been removed.
    [[nodiscard]] bool isFailure(const OperationResult &result) const
    {
        const bool isRefused = !result.isRemoved && !refusalText(result).isEmpty();
        return !result.isAccepted && (!m_choice.needsHost() || isRefused);
    }

    // A request for a breaker has one name, that of its agent or of a shared one. The first error
    // ends the command.
    void request(HostConnection &host, const QStringList &names, QJsonArray &results) const
    {
        const QString method = QStringLiteral("%1.%2").arg(
            QLatin1String(m_operation.isForBreaker ? "breaker" : "agents"),
            QLatin1String(m_operation.name));
        QJsonObject params{{QStringLiteral("reason"), m_reason}};
        if (!m_operation.isForBreaker) {
            params[QLatin1String("agents")] = QJsonArray::fromStringList(names);
            results = host.request(method, params).toArray();
            return;
        }
        const QLatin1String key(m_choice.sharedBreaker().isEmpty() ? "agent" : "shared");
        for (const QString &each : names) {
            params[key] = each;
            QJsonObject row = host.request(method, params).toObject();
            row.insert(key, each);
            results.append(row);
        }
    }

    [[nodiscard]] QByteArray asText(const QJsonArray &results) const
    {
        QByteArray text;
        for (const auto &each : results) {
            const auto result = fromJson<OperationResult>(each);
            const QString name = result.agent.isEmpty()
                ? QLatin1String("shared breaker ") + m_choice.sharedBreaker()
                : result.agent;
            const QString line = name + QLatin1String(": ")
                + (result.isAccepted ? doneText(result) : noEffectText(result));
            text += forTerminal(line.toLocal8Bit()) + '\n';
        }
        return text;
    }

    [[nodiscard]] QString doneText(const OperationResult &result) const
    {
        QString text = QLatin1String(m_operation.done);
        for (const QString &each : result.effects)
            text += QLatin1String("; ") + each;
        if (!result.holdTexts.isEmpty())
            text += QLatin1String("; waits for ") + result.holdTexts.join(QLatin1String("; "));
        if (!result.alsoStarted.isEmpty())
            text += QLatin1String("; also started: ") + result.alsoStarted.join(u", ");
        return text;
    }

    [[nodiscard]] QString noEffectText(const OperationResult &result) const
    {
        if (QString refusal = refusalText(result); !refusal.isEmpty())
            return refusal;
        // A host of an earlier version gives no reason.
        const QString why = result.noEffect.isEmpty()
            ? QLatin1String("its state is ") + result.state
            : result.noEffect;
        return QStringLiteral("nothing to %1: %2").arg(QLatin1String(m_operation.name), why);
    }

    static QByteArray asJson(const QJsonArray &results)
    {
        return onLines(QJsonDocument(results).toJson(QJsonDocument::Compact)) + '\n';
    }

    const HostOperation &m_operation;
    AgentChoice m_choice;
    QString m_reason;
    std::optional<Duration> m_timeout;
    bool m_isWaiting = false;
    bool m_json = false;
};

template<const HostOperation &Operation>
std::unique_ptr<Command> makeOperateCommand()
{
    return std::make_unique<OperateCommand>(Operation);
}

ExitCodes operateCodes(const HostOperation &operation)
{
    if (operation.awaited == nullptr)
        return hostCodes(
            {{1,
              "the request was refused, it had no effect on an agent or breaker that is named "
              "on the command line, or\nstdout cannot be written"}});
    ExitCodes codes =
        hostCodes({{1,
                    "the request was refused, it had no effect on an agent that is named on the "
                    "command line, "
                    "stdout\ncannot be written, or with --wait, an agent cannot reach the state"}});
    codes.emplace_back(124, "the timeout has passed");
    return codes;
}

constexpr HostOperation startOperation{"start", "start requested", "ready"};
constexpr HostOperation stopOperation{"stop", "stop requested", "stopped"};
constexpr HostOperation restartOperation{"restart", "restart requested", "ready"};
constexpr HostOperation retryOperation{"retry", "retry requested", "ready"};
constexpr HostOperation resetOperation{"reset", "circuit breaker closed", nullptr, true};
constexpr HostOperation isolateOperation{"isolate", "circuit breaker isolated", nullptr, true};
constexpr HostOperation releaseOperation{"release", "circuit breaker released", nullptr, true};

} // namespace

const CommandRow startCommand{
    .name = "start",
    .summary = "Start agents of a running host",
    .help =
        R"(Starts agents that are not running. A pending restart begins at once. Restarts are then counted from
zero, also those of running agents. Ends `rekindle isolate`. Also starts the dependencies
(`dependsOn`) that do not run. With a state file, a host that follows a killed one also starts the
agents with "start": "manual" that were started. After `rekindle down` or Ctrl-C, it does not.

If a shared breaker that the agent requires is open, the start waits for it;
`rekindle reset --shared NAME` closes it.

Examples:
  rekindle start web
  rekindle start web worker --config agents.json
  rekindle start web --wait --timeout 30s
)",
    .exitCodes = operateCodes(startOperation),
    .make = makeOperateCommand<startOperation>,
};

const CommandRow stopCommand{
    .name = "stop",
    .summary = "Stop agents of a running host",
    .help =
        R"(Stops agents with their configured stop sequence. They stay stopped until they are started
again. With a state file, this also holds if the host is killed and started again. After
`rekindle down` or Ctrl-C, the next `rekindle up` starts them, except agents with "start": "manual".
Agents that depend on them keep running, unless `onDown` of the dependency is stop or restart.

Examples:
  rekindle stop web
  rekindle stop web --wait
)",
    .exitCodes = operateCodes(stopOperation),
    .make = makeOperateCommand<stopOperation>,
};

const CommandRow restartCommand{
    .name = "restart",
    .summary = "Restart agents of a running host",
    .help =
        R"(Stops agents and starts them again. Restarts are then counted from zero. Ends `rekindle isolate`.
Also starts the dependencies (`dependsOn`) that do not run.

A running agent is not restarted while a shared breaker that it requires is open, because it would
not start again.

Examples:
  rekindle restart web
  rekindle restart web worker --reason 'new certificate'
  rekindle restart --tag backend
  rekindle restart --all
  rekindle restart web --wait --timeout 30s
)",
    .exitCodes = operateCodes(restartOperation),
    .make = makeOperateCommand<restartOperation>,
};

const CommandRow retryCommand{
    .name = "retry",
    .summary = "Start agents whose failures are fixed",
    .help =
        R"(Use it when the cause of the failures is fixed. Like `rekindle start`: a pending restart begins at once,
and restarts are then counted from zero. Also starts the dependencies (`dependsOn`) that do not run.
The difference: `retry` exits with 1 if an agent that is named on the command line runs and its
number of restarts is zero.

If the circuit breaker is open, this start is its trial: if the agent becomes stable, the breaker
closes; if it fails, the breaker opens again. `rekindle reset` closes the breaker at once and does
not set the number of restarts to zero.

Examples:
  rekindle retry web
)",
    .exitCodes = operateCodes(retryOperation),
    .make = makeOperateCommand<retryOperation>,
};

const CommandRow resetCommand{
    .name = "reset",
    .summary = "Close the circuit breaker of agents",
    .help =
        R"(Closes the circuit breaker and ends `rekindle isolate`. A start that the breaker delays begins at
once and counts as a restart. `rekindle retry` also sets the number of restarts to zero.

--shared closes a breaker that several agents share. The starts that it holds back begin at once,
limited by the governor.

Examples:
  rekindle reset web
  rekindle reset --shared api.example
)",
    .exitCodes = operateCodes(resetOperation),
    .make = makeOperateCommand<resetOperation>,
};

const CommandRow isolateCommand{
    .name = "isolate",
    .summary = "Hold the circuit breaker of agents open",
    .help =
        R"(Permits no automatic restart until `rekindle release`, `reset`, `start`, `retry` or `restart`. A
running agent keeps running. With a state file, this also holds if the host is killed and started again.
`rekindle down` and Ctrl-C end the isolation.

--shared holds a breaker open that several agents share, until `rekindle release` or `reset`. Until
then, none of these agents is started, not even by `rekindle start`.

Examples:
  rekindle isolate web
  rekindle isolate --shared api.example --reason maintenance
)",
    .exitCodes = operateCodes(isolateOperation),
    .make = makeOperateCommand<isolateOperation>,
};

const CommandRow releaseCommand{
    .name = "release",
    .summary = "Release the circuit breaker of agents",
    .help =
        R"(Ends `rekindle isolate`. The circuit breaker then has its previous state. If it is not open, a start
that it delays begins at once.

Examples:
  rekindle release web
  rekindle release --shared api.example
)",
    .exitCodes = operateCodes(releaseOperation),
    .make = makeOperateCommand<releaseOperation>,
};

} // namespace Rekindle

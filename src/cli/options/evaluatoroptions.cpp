// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "evaluatoroptions_p.h"

#include "cli/output/messages_p.h"
#include "fleetoptions_p.h"
#include "policy/internal/texthelpers.h"

#include <rekindle/lifecycle/featuregate.h>
#include <rekindle/mcp/mcppingprobe.h>
#include <rekindle/plugin/evaluatorhost.h>
#include <rekindle/probes/networkprobes.h>
#include <rekindle/process/descriptorlimit.h>

#include <CLI/CLI.hpp>
#include <QCoreApplication>
#include <QFileInfo>
#include <QSet>

namespace Rekindle {

namespace {

// Relative to the command, because the installation may have been moved.
QStringList ownFolders()
{
    const QString here = QCoreApplication::applicationDirPath();
    QStringList candidates{here + QStringLiteral("/" REKINDLE_EVALUATORS_FROM_BIN)};
    if (QFileInfo::exists(here + QStringLiteral("/../CMakeCache.txt")))
        candidates.append(here + QStringLiteral("/../plugins"));
    QStringList folders;
    for (const QString &candidate : candidates) {
        if (QFileInfo(candidate).isDir())
            folders.append(QFileInfo(candidate).canonicalFilePath());
    }
    return folders;
}

// Without this check, a mistyped folder would only lead to an unknown evaluator.
std::string faultOfFolder(const std::string &path)
{
    const QFileInfo folder(QString::fromStdString(path));
    if (!path.empty() && folder.isDir())
        return {};
    return std::string("expected a folder with plug-ins, found ")
        + (folder.exists() ? "a file" : "no such folder") + ": \"" + path + '"';
}

std::unique_ptr<EvaluatorHost> makeHost(const QStringList &folders)
{
    auto host = std::make_unique<EvaluatorHost>();
    host->setFolders(folders + ownFolders());
    return host;
}

} // namespace

void addEvaluatorOption(CLI::App &parser, QStringList &folders)
{
    addTexts(parser, "--plugins", folders,
             "Folder with plug-ins for policies of type custom; can be repeated", "DIR")
        ->check(faultOfFolder, "");
}

std::unique_ptr<EvaluatorHost> makeEvaluatorHost(const QStringList &folders,
                                                 const FeatureGate &gate)
{
    auto host = makeHost(folders);
    host->setTierCheck([&gate](QStringView name) {
        const std::optional<LicenseTier> tier = valueOf(licenseTiers, name);
        return tier && *tier <= gate.tier();
    });
    return host;
}

QList<Fault> evaluatorFaults(const RestartPolicy &policy, const QStringList &folders)
{
    return isCustom(policy) ? makeHost(folders)->check(*policy.evaluator) : QList<Fault>();
}

void checkEvaluator(const RestartPolicy &policy, const QStringList &folders, Messages &messages)
{
    const QList<Fault> faults = evaluatorFaults(policy, folders);
    for (const Fault &fault : faults)
        messages.say(QLatin1String("policy: ") + fault.toString());
    if (hasErrors(faults))
        throw CommandFailure{};
}

namespace {

// With their places in the file.
QList<Fault> evaluatorFaults(const Configuration &configuration, const QString &file,
                             const QStringList &folders)
{
    QList<Fault> faults;
    std::unique_ptr<EvaluatorHost> host;
    const auto look = [&](const RestartPolicy &policy, const QString &pointer,
                          const QString &origin) {
        if (!isCustom(policy))
            return;
        if (!host)
            host = makeHost(folders);
        for (Fault fault : host->check(*policy.evaluator)) {
            fault.path.prepend(pointer);
            fault.file = origin;
            faults.append(fault);
        }
    };
    for (auto each = configuration.policies.begin(); each != configuration.policies.end(); ++each)
        look(each.value(), QStringLiteral("/policies/") + each.key(),
             configuration.policyOrigins.value(each.key()));
    for (const AgentDefinition &agent : configuration.agents) {
        if (!configuration.policies.contains(agent.policyName))
            look(agent.policy, agent.pointer + QLatin1String("/policy"), agent.file);
    }
    return placedFaults(std::move(faults), file);
}

// With store, state, metrics, events and control socket, `up` itself has 21 descriptors open. 32
// are reserved for clients of the control socket, and 11 for a launch and probes.
constexpr qint64 descriptorsWithoutConnections = 64;

// Reports the fault at the first agent that exceeds the limit.
QList<Fault> descriptorFaults(const Configuration &configuration, int connections)
{
    const std::optional<qint64> limit = DescriptorLimit::hard();
    QSet<QStringList> watches; // see WatchedAgents
    for (const AgentDefinition &agent : configuration.agents) {
        if (!agent.watch.isEmpty())
            watches.insert(agent.watch);
    }
    const qint64 descriptorsOfHost = descriptorsWithoutConnections + connections + watches.size();
    qint64 needed = descriptorsOfHost;
    const AgentDefinition *first = nullptr;
    for (const AgentDefinition &agent : configuration.agents) {
        needed += DescriptorLimit::neededBy(agent.process);
        if (!first && limit && needed > *limit)
            first = &agent;
    }
    if (!first)
        return {};
    const QString message =
        QStringLiteral("expected at most %1 descriptors (the hard limit, ulimit -Hn), found %2: %3 "
                       "for %4 and %5 for the host")
            .arg(*limit)
            .arg(needed)
            .arg(needed - descriptorsOfHost)
            .arg(counted(configuration.agents.size(), "agent", "agents"))
            .arg(descriptorsOfHost);
    return {
        {first->pointer, message, Fault::Severity::Error, first->line, first->column, first->file}};
}

// Whether `rekindle import` may be able to convert the file.
bool isOfOtherSupervisor(const QString &path)
{
    const QFileInfo file(path);
    const QStringList suffixes{QStringLiteral("conf"), QStringLiteral("ini"),
                               QStringLiteral("js"),   QStringLiteral("service"),
                               QStringLiteral("yaml"), QStringLiteral("yml")};
    return file.isFile()
        && (suffixes.contains(file.suffix()) || file.fileName() == QLatin1String("Procfile"));
}

} // namespace

Parsed<McpServers> loadForGateway(const QString &path, const QStringList &folders,
                                  Duration startTimeout)
{
    return loadMcpServers(
        path, [&folders](const RestartPolicy &policy) { return evaluatorFaults(policy, folders); },
        startTimeout);
}

Parsed<Configuration> loadForHost(const QString &path, const QStringList &folders, int connections,
                                  const QString &workingDirectory)
{
    static const ProbeKinds kinds =
        processProbeKinds() + networkProbeKinds() + ProbeKinds{&mcpPingProbeKind()};
    Parsed<Configuration> parsed = loadConfiguration(path, kinds);
    if (parsed) {
        parsed.faults = evaluatorFaults(*parsed.value, parsed.file, folders)
            + descriptorFaults(*parsed.value, connections) + etcdFaults(*parsed.value, parsed.file);
        for (AgentDefinition &agent : parsed.value->agents) {
            if (agent.process.workingDirectory.isEmpty())
                agent.process.workingDirectory = workingDirectory;
        }
    } else if (!parsed.faults.isEmpty() && isOfOtherSupervisor(path)) {
        parsed.faults.first().message +=
            QStringLiteral("; `rekindle import` converts files of other supervisors");
    }
    return parsed;
}

QString evaluatorFaultText(const EvaluatorFault &fault, const QString &agent)
{
    QString text = QStringLiteral("evaluator %1: %2; the built-in decision applies")
                       .arg(fault.evaluator, fault.what);
    if (!agent.isEmpty())
        text.prepend(agent + QLatin1String(": "));
    if (!fault.quarantined)
        return text;
    text += QLatin1String("; the evaluator is quarantined");
    return fault.creationFailed ? text + QLatin1String(" for ") + agent : text;
}

} // namespace Rekindle

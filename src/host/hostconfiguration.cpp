// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "host/internal/filewatch.h"

#include <rekindle/config/configuredagents.h>
#include <rekindle/host/agenthost.h>
#include <rekindle/host/hostconfiguration.h>
#include <rekindle/mcp/mcppingprobe.h>

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

// A reload does not stop an agent for a program that cannot be started. The warnings of the
// configuration about such programs become errors.
void refuseMissingPrograms(QList<Fault> &warnings, const Configuration &configuration,
                           const ConfigurationChanges &changes)
{
    for (const ChangedAgent &change : changes.changed) {
        const auto found = std::find_if(
            configuration.agents.begin(), configuration.agents.end(),
            [&change](const AgentDefinition &each) { return each.name == change.agent; });
        if (!change.isRestarted || found == configuration.agents.end())
            continue;
        for (Fault &each : warnings) {
            const bool isItsProgram = each.file == found->file
                && (each.path == found->pointer + QLatin1String("/program")
                    || each.path == found->pointer + QLatin1String("/command"));
            if (isItsProgram && each.severity == Fault::Severity::Warning)
                each.severity = Fault::Severity::Error;
        }
    }
}

// The node has begun with its times, which the stop sequences of the placed agents determine.
QList<Fault> fleetFaults(const FleetDefinition *current, const Configuration &wanted)
{
    if (!current && !wanted.fleet)
        return {};
    if (current && wanted.fleet == *current)
        return {};
    return {
        {QStringLiteral("/fleet"),
         QStringLiteral("a running host cannot change \"fleet\" or the longest stop sequence of "
                        "the placed agents; restart it")}};
}

} // namespace

HostConfiguration::HostConfiguration(AgentHost &host, HostConfigurationOptions options)
    : m_host(host)
    , m_options(std::move(options))
{
}

HostConfiguration::~HostConfiguration() = default;

Parsed<Configuration> HostConfiguration::load() const
{
    if (m_options.load)
        return m_options.load(m_options.path);
    return loadConfiguration(m_options.path, processProbeKinds() + ProbeKinds{&mcpPingProbeKind()});
}

HostConfiguration::Result HostConfiguration::reload(bool dryRun)
{
    return dryRun ? readAndApply(true) : reloadBecause({});
}

void HostConfiguration::reloadNow(const QString &cause) { (void)reloadBecause(cause); }

HostConfiguration::Result HostConfiguration::reloadBecause(const QString &cause)
{
    Q_EMIT reloading(cause);
    Result result = readAndApply(false);
    Q_EMIT reloaded(result);
    return result;
}

HostConfiguration::Result HostConfiguration::readAndApply(bool dryRun)
{
    Result result;
    if (m_host.isStopping()) {
        result.refusal = QStringLiteral("the host is stopping its agents");
        return result;
    }
    if (m_files && !dryRun)
        m_files->acknowledge();
    const Parsed<Configuration> parsed = load();
    result.faults = parsed.faults + parsed.warnings;
    if (!parsed || hasErrors(result.faults))
        return result;
    result.faults += placedFaults(fleetFaults(m_host.fleet(), *parsed.value), m_options.path);
    const ConfiguredAgents::Result planned = m_host.agents().changesTo(*parsed.value);
    refuseMissingPrograms(result.faults, *parsed.value, planned.changes);
    if (hasErrors(result.faults))
        return result;
    if (!dryRun)
        Q_EMIT aboutToApply(*parsed.value);
    const ConfiguredAgents::Result applied =
        dryRun ? planned : m_host.agents().apply(*parsed.value);
    result.faults += applied.faults;
    result.changes = applied.changes;
    if (dryRun || !applied)
        return result;
    Q_EMIT this->applied(*parsed.value, applied.changes);
    if (m_files)
        watch(*parsed.value);
    m_host.watchFiles(*parsed.value);
    return result;
}

void HostConfiguration::watch(const Configuration &current)
{
    if (!m_files) {
        m_files = std::make_unique<FileWatch>(m_host.supervisor().scheduler());
        connect(m_files.get(), &FileWatch::faulted, this, &HostConfiguration::watchFailed);
        connect(m_files.get(), &FileWatch::changed, this,
                [this](const QStringList &changed) { reloadNow(changeText(changed)); });
    }
    m_files->setFiles(QStringList(m_options.path) + current.policyFiles + current.includedFiles
                      + current.environmentFiles);
}

} // namespace Rekindle

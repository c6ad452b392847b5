// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "configurationreload_p.h"

#include "cli/options/evaluatoroptions_p.h"
#include "cli/output/messages_p.h"
#include "cli/watch/filewatch_p.h"
#include "supervision_p.h"

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

} // namespace

ConfigurationReload::ConfigurationReload(ReloadOptions options, Supervision &supervision,
                                         Messages &messages)
    : m_options(std::move(options))
    , m_supervision(supervision)
    , m_messages(messages)
{
}

ConfigurationReload::~ConfigurationReload() = default;

ReloadableConfiguration::Result ConfigurationReload::reload(bool dryRun)
{
    if (dryRun)
        return readAndApply(true);
    Q_EMIT begun();
    Result result = readAndApply(false);
    m_messages.sayFaults(result.faults, m_options.path);
    if (!result.refusal.isEmpty())
        m_messages.say(QStringLiteral("%1: not reloaded: %2").arg(m_options.path, result.refusal));
    else if (hasErrors(result.faults))
        m_messages.say(QStringLiteral("%1: not reloaded: it has faults; nothing was changed")
                           .arg(m_options.path));
    Q_EMIT finished();
    return result;
}

ReloadableConfiguration::Result ConfigurationReload::readAndApply(bool dryRun)
{
    Result result;
    if (m_supervision.isEnding()) {
        result.refusal = QStringLiteral("the host is stopping its agents");
        return result;
    }
    if (m_files && !dryRun)
        m_files->acknowledge();
    const Parsed<Configuration> parsed = loadForHost(
        m_options.path, m_options.pluginFolders, m_options.connections, m_options.workingDirectory);
    result.faults = parsed.faults + parsed.warnings;
    if (!parsed || hasErrors(result.faults))
        return result;
    if (const std::optional<FileFault> fault = faultOf(m_options.filesOf(*parsed.value))) {
        result.faults.append({{}, fault->text});
        return result;
    }
    refuseMissingPrograms(result.faults, *parsed.value,
                          m_supervision.apply(*parsed.value, true).changes);
    if (hasErrors(result.faults))
        return result;
    const ConfiguredAgents::Result applied = m_supervision.apply(*parsed.value, dryRun);
    result.faults += applied.faults;
    result.changes = applied.changes;
    if (dryRun || !applied)
        return result;
    m_messages.say(
        QStringLiteral("%1: reloaded: %2").arg(m_options.path, changesText(applied.changes)));
    if (m_files)
        watch(*parsed.value);
    Q_EMIT this->applied(*parsed.value);
    return result;
}

void ConfigurationReload::reloadAndReport(const QString &cause)
{
    m_messages.say(QStringLiteral("%1: reloading (%2)").arg(m_options.path, cause));
    (void)reload(false);
}

void ConfigurationReload::watch(const Configuration &configuration)
{
    if (!m_files) {
        m_files = std::make_unique<FileWatch>(m_supervision.scheduler());
        connect(m_files.get(), &FileWatch::faulted, this,
                [this](const QString &text) { m_messages.say(QLatin1String("--watch: ") + text); });
        connect(m_files.get(), &FileWatch::changed, this,
                [this](const QStringList &changed) { reloadAndReport(changeText(changed)); });
    }
    m_files->setFiles(QStringList(m_options.path) + configuration.policyFiles
                      + configuration.includedFiles + configuration.environmentFiles);
}

QString changesText(const ConfigurationChanges &changes)
{
    const auto restarted = std::count_if(changes.changed.begin(), changes.changed.end(),
                                         [](const ChangedAgent &each) { return each.isRestarted; });
    QStringList parts;
    const auto add = [&parts](qsizetype count, QLatin1String what) {
        if (count > 0)
            parts.append(QStringLiteral("%1 %2").arg(count).arg(what));
    };
    add(changes.added.size(), QLatin1String("added"));
    add(changes.removed.size(), QLatin1String("removed"));
    add(restarted, QLatin1String("restarted"));
    add(changes.changed.size() - restarted, QLatin1String("updated"));
    if (!changes.sections.isEmpty())
        parts.append(changes.sections.join(QLatin1String(" and ")) + QLatin1String(" updated"));
    if (parts.isEmpty())
        return QStringLiteral("nothing has changed");
    add(changes.unchanged.size(), QLatin1String("unchanged"));
    return parts.join(QLatin1String(", "));
}

} // namespace Rekindle

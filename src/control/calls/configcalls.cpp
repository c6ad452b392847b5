// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/calls/configcalls_p.h"

#include "json/faultsjson.h"
#include "json/jsonobjectreader.h"
#include "json/jsonparser.h"

#include <rekindle/control/reloadableconfiguration.h>

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

// Nothing, or the fault of the parameters.
std::optional<ControlError> readReloadParams(const QByteArray &json, bool *dryRun)
{
    const Parsed<bool> read = readParsed(parseJson(json), [dryRun](const JsonPlace &object) {
        JsonObjectReader reader(object);
        if (dryRun)
            reader.read(QStringLiteral("dryRun"), *dryRun);
        reader.finish();
        return true;
    });
    return read ? std::nullopt : std::optional(invalidParams(read.faults));
}

ControlError noConfiguration()
{
    return refused("noConfiguration",
                   QStringLiteral("this host has no configuration that it can reload"));
}

Json namesJson(const QStringList &names)
{
    Json json = Json::array();
    for (const QString &name : names)
        json.push_back(name.toStdString());
    return json;
}

Json changesJson(const ConfigurationChanges &changes)
{
    Json restarted = Json::array();
    Json updated = Json::array();
    for (const ChangedAgent &each : changes.changed) {
        const Json json{{"agent", each.agent.toStdString()},
                        {"parts", namesJson(toTexts(each.parts))},
                        {"keys", namesJson(each.keys)}};
        (each.isRestarted ? restarted : updated).push_back(json);
    }
    return {{"added", namesJson(changes.added)},         {"removed", namesJson(changes.removed)},
            {"restarted", std::move(restarted)},         {"updated", std::move(updated)},
            {"unchanged", namesJson(changes.unchanged)}, {"sections", namesJson(changes.sections)}};
}

// None if there is a fault.
QStringList changedAgents(const ReloadableConfiguration::Result &plan)
{
    if (!plan.refusal.isEmpty() || hasErrors(plan.faults))
        return {};
    QStringList names = plan.changes.removed;
    for (const ChangedAgent &each : plan.changes.changed)
        names.append(each.agent);
    return names;
}

} // namespace

ConfigCalls::ConfigCalls(QString file)
    : m_file(std::move(file))
{
}

ControlResponse ConfigCalls::check(const QByteArray &params)
{
    if (auto error = readReloadParams(params, nullptr))
        return *std::move(error);
    if (!m_configuration)
        return noConfiguration();
    const ReloadableConfiguration::Result result = m_configuration->reload(true);
    if (!result.refusal.isEmpty())
        return stopping(result.refusal);
    return inlineJson({{"faults", faultsJson(result.faults, m_file)}});
}

ControlResponse ConfigCalls::reload(const QByteArray &params, const Announce &announce)
{
    bool dryRun = false;
    if (auto error = readReloadParams(params, &dryRun))
        return *std::move(error);
    if (!m_configuration)
        return noConfiguration();
    const QString file = m_file;
    ReloadableConfiguration &configuration = *m_configuration;
    if (!dryRun && !announce(changedAgents(configuration.reload(true))))
        return stopping(QStringLiteral("the host exits"));
    const ReloadableConfiguration::Result result = configuration.reload(dryRun);
    if (!result.refusal.isEmpty())
        return stopping(result.refusal);
    const Json faults = faultsJson(result.faults, file);
    if (hasErrors(result.faults))
        return ControlError{ErrorCode::configInvalid,
                            QStringLiteral("the configuration has faults; nothing was changed"),
                            inlineJson({{"faults", faults}})};
    if (!dryRun && !announce(result.changes.added))
        return stopping(QStringLiteral("the host exits"));
    Json json = changesJson(result.changes);
    json["faults"] = faults;
    return inlineJson(json);
}

} // namespace Rekindle

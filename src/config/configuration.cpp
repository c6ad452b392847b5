// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/config/configuration.h>

#include "agentreader_p.h"
#include "jsonfile_p.h"

#include "json/jsonobjectreader.h"

#include <QFileInfo>
#include <QResource>
#include <QSet>

// The macro needs the global namespace. Without the call, the resources of a static library are not
// linked.
static void initializeSchemaResource() { Q_INIT_RESOURCE(rekindle_schema); }

namespace Rekindle {

namespace {

Configuration readConfiguration(const JsonPlace &root, const QDir &folder, const ProbeKinds &kinds)
{
    Configuration configuration;
    JsonObjectReader object(root);
    if (const auto schema = object.member(QStringLiteral("$schema")))
        (void)schema->text(); // for editors
    PolicyResolver policies(folder);
    const auto ownPolicies = object.member(QStringLiteral("policies"));
    if (ownPolicies)
        policies.define(*ownPolicies);
    configuration.policies = policies.policies();

    AgentReader reader(policies, folder, kinds);
    if (const auto place = object.member(QStringLiteral("defaults")))
        reader.readDefaults(*place);
    const auto agents = object.member(QStringLiteral("agents"));
    if (const auto items = agents ? agents->items() : std::nullopt) {
        for (const JsonPlace &item : *items)
            configuration.agents.append(reader.read(item));
        if (items->empty())
            agents->fault(QStringLiteral("expected at least one agent, found none"));
    }
    if (const auto place = object.member(QStringLiteral("mcpServers"))) {
        reader.readServers(*place, configuration.agents);
    } else if (!agents && root.isObject()) {
        root.at(QStringLiteral("/agents"))
            .fault(QStringLiteral("missing; expected agents, mcpServers or both"));
    }
    object.finish();
    if (ownPolicies)
        policies.warnOfUnused(*ownPolicies);
    configuration.policyFiles = policies.files();
    return configuration;
}

// An agent would append its output to a file that was read.
QList<Fault> outputFaults(const Configuration &configuration, const QString &path)
{
    QSet<QString> read;
    for (const QString &each : QStringList(path) + configuration.policyFiles)
        read.insert(QFileInfo(each).canonicalFilePath());
    QList<Fault> faults;
    const auto look = [&](const OutputTarget &target, const QString &pointer) {
        const QString file = QFileInfo(target.file).canonicalFilePath();
        if (target.kind == OutputTarget::Kind::File && !file.isEmpty() && read.contains(file))
            faults.append({pointer,
                           QStringLiteral("expected an output file, found the configuration or "
                                          "one of its policy files")});
    };
    for (const AgentDefinition &agent : configuration.agents) {
        look(agent.process.standardOutput, agent.pointer + QLatin1String("/stdout/file"));
        look(agent.process.standardError, agent.pointer + QLatin1String("/stderr/file"));
    }
    return faults;
}

Parsed<Configuration> configurationFrom(const Parsed<JsonNode> &parsed, const QString &folder,
                                        const ProbeKinds &kinds)
{
    return readParsed(parsed, [&](const JsonPlace &root) {
        return readConfiguration(root, QDir(folder), kinds);
    });
}

} // namespace

Parsed<Configuration> loadConfiguration(const QString &path, const ProbeKinds &kinds)
{
    Parsed<Configuration> parsed =
        configurationFrom(readJsonFile(path), QFileInfo(path).absolutePath(), kinds);
    if (!parsed)
        return parsed;
    if (const QList<Fault> faults = outputFaults(*parsed.value, path); !faults.isEmpty()) {
        parsed.faults += placedFaults(faults, path);
        parsed.value.reset();
    }
    return parsed;
}

Parsed<Configuration> parseConfiguration(const QByteArray &json, const QString &baseDirectory,
                                         const QString &file, const ProbeKinds &kinds)
{
    Parsed<JsonNode> parsed = parseJson(json);
    parsed.file = file;
    return configurationFrom(parsed, baseDirectory, kinds);
}

QList<Fault> placedFaults(QList<Fault> faults, const QString &path)
{
    // Faults of a text without a file have no position.
    const bool hasPlaces = !faults.isEmpty() && !path.isEmpty();
    const Parsed<JsonNode> parsed = hasPlaces ? readJsonFile(path) : Parsed<JsonNode>();
    if (!parsed)
        return faults;
    for (Fault &fault : faults) {
        const JsonPosition &position = parsed.value->nearest(fault.path).position;
        fault.line = position.line;
        fault.column = position.column;
    }
    return faults;
}

QByteArray configurationSchema()
{
    initializeSchemaResource();
    return QResource(QStringLiteral(":/rekindle/schema/rekindle.schema.json")).uncompressedData();
}

} // namespace Rekindle

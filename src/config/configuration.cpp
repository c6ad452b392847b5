// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/config/configuration.h>

#include "config/document/jsonfile_p.h"
#include "configurationreader_p.h"

#include <QFileInfo>
#include <QHash>
#include <QResource>

#include <utility>
#include <vector>

// The macro needs the global namespace. Without the call, the resources of a static library are not
// linked.
static void initializeSchemaResource() { Q_INIT_RESOURCE(rekindle_schema); }

namespace Rekindle {

namespace {

// An output stream of an agent that goes to a file.
struct Output
{
    const AgentDefinition &agent;
    const OutputTarget &target;
    QString pointer;
};

std::vector<Output> outputsOf(const Configuration &configuration)
{
    std::vector<Output> outputs;
    const auto add = [&outputs](const AgentDefinition &agent, const OutputTarget &target,
                                const QString &key) {
        if (target.kind == OutputTarget::Kind::File)
            outputs.push_back({agent, target, agent.pointer + key});
    };
    for (const AgentDefinition &agent : configuration.agents) {
        add(agent, agent.process.standardOutput, QStringLiteral("/stdout/file"));
        add(agent, agent.process.standardError, QStringLiteral("/stderr/file"));
    }
    return outputs;
}

// Each file that was read, and what it is. An agent would append its output to it.
QHash<QString, QString> filesRead(const Configuration &configuration, const QString &path)
{
    QHash<QString, QString> read;
    const auto add = [&read](const QStringList &paths, const QString &what) {
        for (const QString &each : paths)
            read.insert(QFileInfo(each).canonicalFilePath(), what);
    };
    add(configuration.environmentFiles, QStringLiteral("one of the environment files"));
    add(configuration.includedFiles, QStringLiteral("one of the included files"));
    add(QStringList(path) + configuration.policyFiles,
        QStringLiteral("the configuration or one of its policy files"));
    return read;
}

QList<Fault> outputFaults(const Configuration &configuration, const QString &path)
{
    const std::vector<Output> outputs = outputsOf(configuration);
    const QHash<QString, QString> read = filesRead(configuration, path);
    QHash<QString, QString> renamed;      // the agent whose rotation writes to a file, by its path
    QHash<QString, const Output *> first; // of a file
    for (const Output &each : outputs) {
        const int keep = each.target.rotation ? each.target.rotation->keep : 0;
        for (int number = 1; number <= keep; ++number)
            renamed.insert(each.target.file + u'.' + QString::number(number), each.agent.name);
        if (!first.contains(each.target.file))
            first.insert(each.target.file, &each);
    }
    QList<Fault> faults;
    for (const Output &each : outputs) {
        const auto fault = [&](const QString &message) {
            faults.append({.path = each.pointer, .message = message, .file = each.agent.file});
        };
        const QString file = QFileInfo(each.target.file).canonicalFilePath();
        if (!file.isEmpty() && read.contains(file))
            fault(QStringLiteral("expected an output file, found %1").arg(read.value(file)));
        // Two agents that write to one file would rename it for each other.
        const Output &other = *first.value(each.target.file);
        if (other.target.rotation != each.target.rotation)
            fault(QStringLiteral("expected the same maxSize, maxAge and keep as for %1, which "
                                 "writes to the same file")
                      .arg(other.agent.name));
        if (renamed.contains(each.target.file))
            fault(QStringLiteral("expected another file, found one that the rotation for %1 "
                                 "replaces")
                      .arg(renamed.value(each.target.file)));
    }
    return faults;
}

} // namespace

Parsed<Configuration> loadConfiguration(const QString &path, const ProbeKinds &kinds)
{
    Parsed<Configuration> parsed =
        ConfigurationReader(kinds).read(readJsonFile(path), QFileInfo(path).absolutePath(), path);
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
    Parsed<JsonNode> parsed = parseJson(json, JsonSyntax::WithComments);
    parsed.file = file;
    return ConfigurationReader(kinds).read(std::move(parsed), QDir(baseDirectory));
}

QList<Fault> placedFaults(QList<Fault> faults, const QString &path)
{
    QHash<QString, Parsed<JsonNode>> files;
    for (Fault &fault : faults) {
        const QString &file = fault.file.isEmpty() ? path : fault.file;
        // Faults of a text without a file have no position.
        if (file.isEmpty())
            continue;
        auto parsed = files.constFind(file);
        if (parsed == files.constEnd())
            parsed = files.insert(file, readJsonFile(file));
        if (!*parsed)
            continue;
        const JsonPosition &position = parsed->value->nearest(fault.path).position;
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

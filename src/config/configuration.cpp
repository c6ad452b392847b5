// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/config/configuration.h>

#include "config/document/jsonfile_p.h"
#include "configurationreader_p.h"

#include <QFileInfo>
#include <QHash>
#include <QResource>

#include <utility>

// The macro needs the global namespace. Without the call, the resources of a static library are not
// linked.
static void initializeSchemaResource() { Q_INIT_RESOURCE(rekindle_schema); }

namespace Rekindle {

namespace {

// Two agents that write to one file would rename it for each other.
class RotationOfFiles
{
public:
    /// Returns the agent with another rotation of the file, or an empty text.
    QString conflictOf(const QString &agent, const OutputTarget &target)
    {
        const auto known = m_known.constFind(target.file);
        if (known == m_known.constEnd())
            m_known.insert(target.file, {agent, target.rotation});
        else if (known->second != target.rotation)
            return known->first;
        return {};
    }

private:
    QHash<QString, std::pair<QString, std::optional<LogRotation>>> m_known;
};

// An agent would append its output to a file that was read.
QList<Fault> outputFaults(const Configuration &configuration, const QString &path)
{
    QHash<QString, QString> read; // what a file is, by its path
    const auto add = [&read](const QStringList &paths, const QString &what) {
        for (const QString &each : paths)
            read.insert(QFileInfo(each).canonicalFilePath(), what);
    };
    add(configuration.environmentFiles, QStringLiteral("one of the environment files"));
    add(configuration.includedFiles, QStringLiteral("one of the included files"));
    add(QStringList(path) + configuration.policyFiles,
        QStringLiteral("the configuration or one of its policy files"));
    QList<Fault> faults;
    RotationOfFiles rotations;
    const auto look = [&](const AgentDefinition &agent, const OutputTarget &target,
                          const QString &key) {
        const QString file = QFileInfo(target.file).canonicalFilePath();
        if (target.kind == OutputTarget::Kind::File && !file.isEmpty() && read.contains(file))
            faults.append(
                {.path = agent.pointer + key,
                 .message =
                     QStringLiteral("expected an output file, found %1").arg(read.value(file)),
                 .file = agent.file});
        if (target.kind != OutputTarget::Kind::File)
            return;
        if (const QString other = rotations.conflictOf(agent.name, target); !other.isEmpty())
            faults.append(
                {.path = agent.pointer + key,
                 .message = QStringLiteral("expected the same maxSize, maxAge and keep as "
                                           "for %1, which writes to the same file")
                                .arg(other),
                 .file = agent.file});
    };
    QHash<QString, QString> renamed; // the agent whose rotation writes to a file, by its path
    for (const AgentDefinition &agent : configuration.agents) {
        for (const OutputTarget &target :
             {agent.process.standardOutput, agent.process.standardError}) {
            const int keep = target.rotation ? target.rotation->keep : 0;
            for (int number = 1; number <= keep; ++number)
                renamed.insert(target.file + u'.' + QString::number(number), agent.name);
        }
    }
    const auto lookAtRotated = [&](const AgentDefinition &agent, const OutputTarget &target,
                                   const QString &key) {
        look(agent, target, key);
        if (target.kind == OutputTarget::Kind::File && renamed.contains(target.file))
            faults.append({.path = agent.pointer + key,
                           .message = QStringLiteral("expected another file, found one that the "
                                                     "rotation for %1 replaces")
                                          .arg(renamed.value(target.file)),
                           .file = agent.file});
    };
    for (const AgentDefinition &agent : configuration.agents) {
        lookAtRotated(agent, agent.process.standardOutput, QStringLiteral("/stdout/file"));
        lookAtRotated(agent, agent.process.standardError, QStringLiteral("/stderr/file"));
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

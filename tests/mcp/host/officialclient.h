// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QDebug>
#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>

namespace Rekindle {

/// Runs official MCP programs with Node.js in a temporary folder.
struct OfficialClient
{
    /// Returns the words of the command line of a reference server.
    [[nodiscard]] QStringList server(const QString &name) const
    {
        QStringList words{
            QStringLiteral(REKINDLE_NODE),
            modules + QStringLiteral("/@modelcontextprotocol/server-%1/dist/index.js").arg(name)};
        if (name == QStringLiteral("modern")) // supports both revisions, with the official package
            return {words[0], QStringLiteral(REKINDLE_MODERN_SERVER), modules};
        if (name == QStringLiteral("modern-only"))
            return server(QStringLiteral("modern")) << QStringLiteral("reject");
        if (name == QStringLiteral("everything"))
            words << QStringLiteral("stdio");
        if (name == QStringLiteral("filesystem"))
            words << folder.path();
        return words;
    }

    /// Runs a script of tests/mcp/node and returns its steps by name; empty if it fails.
    [[nodiscard]] QHash<QString, QJsonObject> session(const char *script,
                                                      const QJsonObject &plan) const
    {
        QHash<QString, QJsonObject> steps;
        const QByteArray output =
            run({QString::fromLatin1(script),
                 QString::fromUtf8(QJsonDocument(plan).toJson(QJsonDocument::Compact))});
        const QList<QByteArray> lines = output.split('\n');
        for (const QByteArray &line : lines) {
            const QJsonObject step = QJsonDocument::fromJson(line).object();
            steps.insert(step[QLatin1String("step")].toString(), step);
        }
        return output.isEmpty() ? QHash<QString, QJsonObject>() : steps;
    }

    /// Runs Node.js and returns its output; empty if it fails.
    [[nodiscard]] QByteArray run(const QStringList &arguments) const
    {
        QProcess node;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("HOME"), folder.path()); // for settings
        environment.insert(QStringLiteral("MEMORY_FILE_PATH"),
                           folder.filePath(QStringLiteral("memory.json")));
        node.setProcessEnvironment(environment);
        node.setWorkingDirectory(folder.path());
        node.start(QStringLiteral(REKINDLE_NODE), arguments);
        const bool hasExited = node.waitForFinished(200000);
        const QByteArray output = node.readAllStandardOutput();
        if (hasExited && node.exitCode() == 0)
            return output;
        qWarning().noquote() << output << node.readAllStandardError();
        return {};
    }

    const QString modules = QStringLiteral(REKINDLE_NODE_MODULES);
    QTemporaryDir folder;
};

} // namespace Rekindle

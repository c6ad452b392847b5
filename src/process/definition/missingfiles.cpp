// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "process/internal/missingfiles.h"

#include "json/jsonnode.h"

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

namespace Rekindle {

namespace {

// The folders in which a bare name is looked up: absolute entries of PATH of the resulting
// environment.
QStringList searchPath(const ProcessDefinition &process)
{
    const QString key = QStringLiteral("PATH");
    const QString path = process.environment.contains(key)
        ? process.environment.value(key).value_or(QString())
        : qEnvironmentVariable("PATH");
    if (path.isEmpty())
        return {QStringLiteral("/bin"), QStringLiteral("/usr/bin")};
    QStringList folders = path.split(QDir::listSeparator());
    folders.removeIf([](const QString &folder) { return !folder.startsWith(u'/'); });
    return folders;
}

} // namespace

QString missingProgram(const QString &program, const ProcessDefinition &process,
                       const QString &hint)
{
    if (program.isEmpty())
        return {};
    if (!program.contains(u'/')) {
        return QStandardPaths::findExecutable(program, searchPath(process)).isEmpty()
            ? QStringLiteral("program \"%1\" is not found in PATH%2").arg(printable(program), hint)
            : QString();
    }
    const QFileInfo info(program);
    if (info.isDir())
        return QStringLiteral("program %1 is a folder").arg(printable(program));
    if (!info.isFile())
        return QStringLiteral("program %1 is not found%2").arg(printable(program), hint);
    return info.isExecutable()
        ? QString()
        : QStringLiteral("program %1 is not executable").arg(printable(program));
}

QString missingFolder(const ProcessDefinition &process)
{
    const QString &folder = process.workingDirectory;
    return folder.isEmpty() || QDir(folder).exists()
        ? QString()
        : QStringLiteral("folder %1 is not found").arg(printable(folder));
}

QList<Fault> missingFiles(const ProcessDefinition &process)
{
    QList<Fault> warnings;
    const auto warn = [&](const QString &path, const QString &text) {
        if (!text.isEmpty())
            warnings.append({path, text, Fault::Severity::Warning});
    };
    warn(QStringLiteral("/program"), missingProgram(process.program, process));
    warn(QStringLiteral("/workingDirectory"), missingFolder(process));
    return warnings;
}

} // namespace Rekindle

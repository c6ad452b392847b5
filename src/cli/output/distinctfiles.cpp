// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "distinctfiles_p.h"

#include "base/durablefile_p.h"
#include "messages_p.h"

#include <QFile>
#include <QFileInfo>
#include <QHash>

#include <filesystem>

namespace Rekindle {

namespace {

// Also of a file that does not exist yet.
QString canonicalPath(const QString &path)
{
    std::error_code error;
    const std::filesystem::path absolute =
        std::filesystem::absolute(QFile::encodeName(path).toStdString(), error);
    const std::filesystem::path canonical = std::filesystem::weakly_canonical(absolute, error);
    return QFile::decodeName(QByteArray::fromStdString((error ? absolute : canonical).string()));
}

bool isDevice(const QString &path)
{
    const QFileInfo info(path);
    return info.exists() && !info.isFile();
}

using FilesByPath = QHash<QString, UsedFile>;

// Of a file that the rotation of another one replaces.
std::optional<FileFault> rotationFault(const FilesByPath &files)
{
    for (auto each = files.begin(); each != files.end(); ++each) {
        const qsizetype dot = each.key().lastIndexOf(u'.');
        const UsedFile rotated = files.value(each.key().left(dot));
        const int number = QStringView(each.key()).sliced(dot + 1).toInt();
        if (number >= 1 && number <= rotated.keep)
            return FileFault{QStringLiteral("%1: the rotation of %2 replaces %3, which is %4; use "
                                            "another file")
                                 .arg(rotated.option, rotated.path, each->path, each->what),
                             ExitCode::configuration};
    }
    return std::nullopt;
}

} // namespace

QList<UsedFile> filesRead(const QStringList &paths, const QString &what)
{
    QList<UsedFile> files;
    for (const QString &path : paths) {
        if (!path.isEmpty())
            files.append({.path = path, .what = what});
    }
    return files;
}

std::optional<FileFault> faultOf(const QList<UsedFile> &files)
{
    FilesByPath known;
    for (const UsedFile &file : files) {
        const QString path = canonicalPath(file.path);
        const UsedFile same = known.value(path);
        known.insert(path, file);
        const bool isRead = file.option.isEmpty();
        const bool isOutput = file.kind == WrittenFile::Output;
        if (same.path.isEmpty() || (isRead && same.option.isEmpty())
            || (isOutput && (same.kind == file.kind || isDevice(path))))
            continue;
        const UsedFile &named = isRead ? same : file;
        return FileFault{QStringLiteral("%1: %2 is already used as %3; use another file")
                             .arg(named.option, named.path, (isRead ? file : same).what),
                         isOutput ? ExitCode::configuration : ExitCode::usage};
    }
    if (std::optional<FileFault> fault = rotationFault(known))
        return fault;
    for (const UsedFile &file : files) {
        const QString refusal =
            file.kind && !file.isDefault ? refusalOf(file.path, *file.kind) : QString();
        if (!refusal.isEmpty())
            return FileFault{QStringLiteral("%1: %2: %3").arg(file.option, file.path, refusal),
                             ExitCode::configuration};
    }
    return std::nullopt;
}

void checkFiles(const QList<UsedFile> &files, Messages &messages)
{
    if (const std::optional<FileFault> fault = faultOf(files))
        messages.end(fault->exitCode, fault->text);
}

void requireFolder(QLatin1String option, const QString &path, Messages &messages)
{
    const QFileInfo folder(QFileInfo(path).absolutePath());
    if (!folder.isDir())
        messages.end(ExitCode::usage,
                     QStringLiteral("%1: %2: folder %3 does not exist")
                         .arg(option, path, folder.filePath()));
}

void requireWritten(QLatin1String option, const QString &path, const QString &error,
                    Messages &messages)
{
    if (!error.isEmpty())
        messages.end(ExitCode::outputFailed,
                     QStringLiteral("%1: %2: cannot write: %3").arg(option, path, error));
}

void saveFile(QLatin1String option, const QString &path, WrittenFile kind, const QByteArray &bytes,
              Messages &messages)
{
    requireWritten(option, path, replaceSharedFile(path, bytes, kind, byUmask), messages);
}

} // namespace Rekindle

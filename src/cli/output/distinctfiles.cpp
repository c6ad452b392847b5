// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "distinctfiles_p.h"

#include "messages_p.h"

#include <QFile>
#include <QFileInfo>

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

bool differ(const UsedFile &one, const UsedFile &other, Messages &messages)
{
    if ((one.option.isEmpty() && other.option.isEmpty())
        || canonicalPath(one.path) != canonicalPath(other.path))
        return true;
    // The message names the option that was given.
    const bool blamesOne = other.option.isEmpty() || (other.isByDefault && !one.option.isEmpty());
    const UsedFile &named = blamesOne ? one : other;
    messages.say(QStringLiteral("%1: %2 is already used as %3; use another file")
                     .arg(named.option, named.isByDefault ? canonicalPath(named.path) : named.path,
                          blamesOne ? other.what : one.what));
    return false;
}

} // namespace

QList<UsedFile> filesRead(const QStringList &paths, const QString &what)
{
    QList<UsedFile> files;
    for (const QString &path : paths)
        files.append({.path = path, .what = what});
    return files;
}

bool areFilesDistinct(const QList<UsedFile> &files, Messages &messages)
{
    for (qsizetype i = 0; i < files.size(); ++i) {
        for (qsizetype j = 0; j < i; ++j) {
            if (!differ(files[j], files[i], messages))
                return false;
        }
    }
    return true;
}

bool isFolderThere(QLatin1String option, const QString &path, Messages &messages)
{
    const QFileInfo folder(QFileInfo(path).absolutePath());
    if (folder.isDir())
        return true;
    messages.say(
        QStringLiteral("%1: %2: folder %3 does not exist").arg(option, path, folder.filePath()));
    return false;
}

} // namespace Rekindle

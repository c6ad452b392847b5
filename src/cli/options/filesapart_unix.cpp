// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "filesapart_p.h"

#include "cli/output/messages_p.h"

#include <QFile>
#include <QFileInfo>

#include <sys/stat.h>

namespace Rekindle {

namespace {

// The canonical path, even of a file that does not exist yet.
QString placeOf(const QString &path)
{
    const QFileInfo file(path);
    if (file.exists())
        return file.canonicalFilePath();
    return QFileInfo(file.absolutePath()).canonicalFilePath() + u'/' + file.fileName();
}

// One file may have several names.
bool isSameFile(const QString &one, const QString &other)
{
    if (placeOf(one) == placeOf(other))
        return true;
    struct stat first = {};
    struct stat second = {};
    return ::stat(QFile::encodeName(one).constData(), &first) == 0
        && ::stat(QFile::encodeName(other).constData(), &second) == 0
        && first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

bool differ(const UsedFile &one, const UsedFile &other, Messages &messages)
{
    if ((one.option.isEmpty() && other.option.isEmpty()) || !isSameFile(one.path, other.path))
        return true;
    // The message names the option that was given.
    const bool blamesOne = other.option.isEmpty() || (other.isByDefault && !one.option.isEmpty());
    const UsedFile &named = blamesOne ? one : other;
    messages.say(QStringLiteral("%1: %2 is already used as %3; use another file")
                     .arg(named.option, named.isByDefault ? placeOf(named.path) : named.path,
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

bool areFilesApart(const QList<UsedFile> &files, Messages &messages)
{
    for (qsizetype i = 0; i < files.size(); ++i) {
        for (qsizetype j = 0; j < i; ++j) {
            if (!differ(files[j], files[i], messages))
                return false;
        }
    }
    return true;
}

} // namespace Rekindle

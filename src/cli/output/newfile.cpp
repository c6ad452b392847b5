// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "newfile_p.h"

#include "messages_p.h"

#include <QFile>
#include <QFileInfo>

#include <unistd.h>

#include <cerrno>

namespace Rekindle {

QString createFile(const QString &path, const QByteArray &bytes, NewFile kind)
{
    QFile file(path);
    QFile::Permissions permissions = QFile::ReadOwner | QFile::WriteOwner;
    if (kind == NewFile::Open)
        permissions |= QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther;
    if (!file.open(QIODevice::NewOnly | QIODevice::WriteOnly | QIODevice::Unbuffered,
                   permissions)) {
        const bool exists = file.exists() || QFileInfo(path).isSymLink();
        const QString error =
            exists ? QStringLiteral("already exists; not overwritten") : file.errorString();
        return path + QLatin1String(": ") + error;
    }
    if (file.write(bytes) == bytes.size() && ::fsync(file.handle()) == 0)
        return {};
    const QString error =
        file.error() == QFile::NoError ? qt_error_string(errno) : file.errorString();
    file.remove();
    return path + QLatin1String(": ") + error;
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

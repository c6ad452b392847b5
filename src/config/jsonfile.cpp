// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "jsonfile_p.h"

#include <QFile>
#include <QFileInfo>

namespace Rekindle {

namespace {

Parsed<JsonNode> unreadable(const QString &message)
{
    Parsed<JsonNode> result;
    result.faults.append({{}, message});
    return result;
}

Parsed<JsonNode> tooLarge(qint64 size)
{
    return unreadable(
        QStringLiteral("found %1 bytes or more, allowed at most %2").arg(size).arg(maxJsonSize));
}

Parsed<JsonNode> readAndParse(const QString &path, QByteArray (*prepared)(QByteArrayView))
{
    if (path.isEmpty())
        return unreadable(QStringLiteral("found no name of a file, allowed a file"));
    const QFileInfo info(path);
    if (info.isDir())
        return unreadable(QStringLiteral("found a folder, allowed a file"));
    // Opening a pipe without a writer would block.
    if (info.exists() && !info.isFile())
        return unreadable(QStringLiteral("found a pipe or a device, allowed a regular file"));
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return unreadable(QStringLiteral("cannot be opened: ") + file.errorString());
    if (file.size() > maxJsonSize)
        return tooLarge(file.size());
    // The file may grow, and files in /proc have no size, so read one byte more than allowed.
    const QByteArray text = file.read(maxJsonSize + 1);
    if (file.error() != QFileDevice::NoError)
        return unreadable(QStringLiteral("cannot be read: ") + file.errorString());
    if (text.size() > maxJsonSize)
        return tooLarge(text.size());
    return parseJson(prepared ? prepared(text) : text);
}

} // namespace

Parsed<JsonNode> readJsonFile(const QString &path, QByteArray (*prepared)(QByteArrayView))
{
    Parsed<JsonNode> result = readAndParse(path, prepared);
    result.file = path;
    return result;
}

} // namespace Rekindle

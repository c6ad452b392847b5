// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "jsonfile_p.h"

#include "base/boundedfile_p.h"

namespace Rekindle {

namespace {

Parsed<JsonNode> unreadable(const QString &message)
{
    Parsed<JsonNode> result;
    result.faults.append({{}, message});
    return result;
}

Parsed<JsonNode> readAndParse(const QString &path, QByteArray (*prepared)(QByteArrayView))
{
    if (path.isEmpty())
        return unreadable(QStringLiteral("expected a file name, found an empty one"));
    const BoundedFile file = BoundedFile::read(path, maxJsonSize);
    if (file.status == BoundedFile::Status::Missing)
        return unreadable(QStringLiteral("cannot be opened: ") + file.error);
    if (!file.isRead())
        return unreadable(file.error);
    return parseJson(prepared ? prepared(file.bytes) : file.bytes);
}

} // namespace

Parsed<JsonNode> readJsonFile(const QString &path, QByteArray (*prepared)(QByteArrayView))
{
    Parsed<JsonNode> result = readAndParse(path, prepared);
    result.file = path;
    return result;
}

} // namespace Rekindle

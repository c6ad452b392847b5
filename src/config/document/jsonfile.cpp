// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "jsonfile_p.h"

#include "base/boundedfile_p.h"

namespace Rekindle {

Parsed<JsonNode> readJsonFile(const QString &path)
{
    Parsed<JsonNode> result;
    const BoundedFile file = BoundedFile::read(path, maxJsonSize);
    if (path.isEmpty())
        result.faults.append({{}, QStringLiteral("expected a file name, found an empty one")});
    else if (file.status == BoundedFile::Status::Missing)
        result.faults.append({{}, QStringLiteral("cannot be opened: ") + file.error});
    else if (!file.isRead())
        result.faults.append({{}, file.error});
    else
        result = parseJson(file.bytes, JsonSyntax::WithComments);
    result.file = path;
    return result;
}

} // namespace Rekindle

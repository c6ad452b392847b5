// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "markerfile_p.h"

#include "base/boundedfile_p.h"
#include "base/durablefile_p.h"

#include <QDir>

namespace Rekindle {

namespace {
constexpr qint64 maxBytes = qint64{64} * 1024;
}

MarkerFile::MarkerFile(const QString &path)
    : m_path(QDir::current().absoluteFilePath(path))
{
}

QString MarkerFile::write(const RestartMarker &marker) const
{
    const QString error = replaceSharedFile(m_path, toJson(marker), WrittenFile::Marker, byUmask);
    return error.isEmpty()
        ? error
        : QStringLiteral("the restart marker %1 cannot be written: %2").arg(m_path, error);
}

MarkerReading MarkerFile::read() const
{
    const BoundedFile file = BoundedFile::read(m_path, maxBytes);
    if (file.isRead())
        return markerFromJson(file.bytes, m_path);
    if (file.status == BoundedFile::Status::Missing)
        return {MarkerReading::State::Absent, {}, m_path, {}};
    return {MarkerReading::State::Unreadable, {}, m_path, file.error};
}

} // namespace Rekindle

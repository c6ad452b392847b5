// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "markerfile_p.h"

#include "base/boundedfile_p.h"

#include <QDir>
#include <QFileInfo>
#include <QSaveFile>

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
    // QSaveFile would replace a pipe or a device by a regular file.
    if (const QFileInfo info(m_path); info.exists() && !info.isFile())
        return QStringLiteral("the restart marker %1 cannot be written: it is no regular file")
            .arg(m_path);
    QSaveFile file(m_path);
    // commit() alone does not detect a full disk.
    if (file.open(QIODevice::WriteOnly)) {
        file.write(toJson(marker));
        if (file.flush() && file.commit())
            return {};
    }
    return QStringLiteral("the restart marker %1 cannot be written: %2")
        .arg(m_path, file.errorString());
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

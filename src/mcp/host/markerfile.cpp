// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "markerfile_p.h"

#include "base/boundedfile_p.h"
#include "base/writtenfile_p.h"

#include <QDir>
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
    const auto fault = [this](const QString &why) {
        return QStringLiteral("the restart marker %1 cannot be written: %2").arg(m_path, why);
    };
    if (const QString refusal = refusalOf(m_path, WrittenFile::Marker); !refusal.isEmpty())
        return fault(refusal);
    QSaveFile file(m_path);
    // commit() alone does not detect a full disk.
    if (file.open(QIODevice::WriteOnly)) {
        file.write(toJson(marker));
        if (file.flush() && file.commit())
            return {};
    }
    return fault(file.errorString());
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

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "markerfile_p.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

namespace Rekindle {

namespace {
constexpr qint64 largest = 64 * 1024;
}

MarkerFile::MarkerFile(const QString &path)
    : m_path(QDir::current().absoluteFilePath(path))
{
}

QString MarkerFile::write(const RestartMarker &marker) const
{
    // Another file would take the place of what programs know as a device.
    if (const QFileInfo info(m_path); info.exists() && !info.isFile())
        return QStringLiteral("the restart marker %1 cannot be written: it is no regular file")
            .arg(m_path);
    QSaveFile file(m_path);
    // commit() alone would not notice that the disk is full.
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
    const auto unreadable = [this](const QString &why) {
        return MarkerReading{MarkerReading::State::Unreadable, {}, m_path, why};
    };
    const QFileInfo info(m_path);
    if (!info.exists())
        return {MarkerReading::State::Absent, {}, m_path, {}};
    if (!info.isFile()) // to open a FIFO would block
        return unreadable(QStringLiteral("expected a regular file"));
    if (info.size() > largest)
        return unreadable(
            QStringLiteral("expected at most %1 bytes, found %2").arg(largest).arg(info.size()));
    QFile file(m_path);
    if (!file.open(QIODevice::ReadOnly))
        return unreadable(file.errorString());
    return markerFromJson(file.read(largest), m_path);
}

} // namespace Rekindle

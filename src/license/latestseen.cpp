// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "latestseen_p.h"

#include "base/boundedfile_p.h"
#include "base/durablefile_p.h"

#include <rekindle/license/signedlicense.h>

#include <QLoggingCategory>
#include <QSaveFile>

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

Q_LOGGING_CATEGORY(log, "rekindle.license")

constexpr char label[] = "rekindle-license-latest-time:";

std::optional<UtcTime> timeFromBytes(QByteArray bytes)
{
    if (!bytes.startsWith(label) || !bytes.endsWith('\n'))
        return {};
    bytes.chop(1);
    return utcTimeFromRfc3339(QString::fromLatin1(bytes.mid(qsizetype(sizeof label) - 1)));
}

} // namespace

LatestSeen::LatestSeen(const QString &path)
    : m_path(path)
    , m_usable(!path.isEmpty())
{
    readAgain();
}

void LatestSeen::see(UtcTime now)
{
    readAgain();
    if (m_time && *m_time >= now)
        return;
    m_time = now;
    write();
}

void LatestSeen::readAgain()
{
    if (!m_usable)
        return;
    const BoundedFile file = BoundedFile::read(m_path, SignedLicense::maxFileSize);
    if (file.status == BoundedFile::Status::Missing)
        return;
    if (!file.isRead()) {
        // A folder, a pipe: writing to it would do harm.
        m_usable = false;
        warn(file.error);
        return;
    }
    const std::optional<UtcTime> time = timeFromBytes(file.bytes);
    if (!time)
        warn(QStringLiteral("this is no file of the latest time; it is written anew"));
    else
        m_time = std::max(*time, m_time.value_or(*time));
}

void LatestSeen::write()
{
    if (!m_usable)
        return;
    const QByteArray text = label + toRfc3339(*m_time).toLatin1() + '\n';
    QSaveFile file(m_path);
    // commit() alone would not notice that the disk is full.
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size() || !file.flush()
        || !file.commit())
        warn(file.errorString());
}

void LatestSeen::warn(const QString &text)
{
    if (!std::exchange(m_told, true))
        qCWarning(log).noquote() << "a clock set back may go unnoticed:"
                                 << m_path + QLatin1String(": ") + text;
}

} // namespace Rekindle

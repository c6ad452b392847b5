// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "latestseen_p.h"

#include "base/boundedfile_p.h"
#include "base/durablefile_p.h"

#include <rekindle/license/signedlicense.h>

#include <QLoggingCategory>

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
    reload();
}

void LatestSeen::record(UtcTime now)
{
    reload();
    if (m_time && *m_time >= now)
        return;
    m_time = now;
    write();
}

void LatestSeen::reload()
{
    if (!m_usable)
        return;
    const QString refusal = refusalOf(m_path, WrittenFile::LicenseClock);
    const BoundedFile file = BoundedFile::read(m_path, SignedLicense::maxFileSize);
    if (refusal.isEmpty() && file.status == BoundedFile::Status::Missing)
        return;
    if (!refusal.isEmpty() || !file.isRead()) {
        m_usable = false;
        warn(refusal.isEmpty() ? file.error : refusal);
        return;
    }
    const std::optional<UtcTime> time = timeFromBytes(file.bytes);
    if (!time)
        warn(QStringLiteral("damaged; it is replaced"));
    else
        m_time = std::max(*time, m_time.value_or(*time));
}

void LatestSeen::write()
{
    if (!m_usable)
        return;
    const QByteArray text = label + toRfc3339(*m_time).toLatin1() + '\n';
    const QString error = replaceSharedFile(m_path, text, WrittenFile::LicenseClock, ownerOnly);
    if (!error.isEmpty())
        warn(error);
}

void LatestSeen::warn(const QString &text)
{
    if (!std::exchange(m_hasWarned, true))
        qCWarning(log).noquote() << "a clock that is set back may not be detected:"
                                 << m_path + QLatin1String(": ") + text;
}

} // namespace Rekindle

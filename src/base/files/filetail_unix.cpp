// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/files/filetail_p.h"

#include "base/safepath_p.h"

#include <QFile>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace Rekindle {

FileTail::FileTail(const QString &path)
    : m_path(QFile::encodeName(path))
{
}

// The first file is read from near its end, and each later one of this name from its beginning.
void FileTail::open()
{
    UniqueFd fd = SafePath(QFile::decodeName(m_path)).open(O_RDONLY | O_NONBLOCK);
    struct stat info = {};
    if (!fd.isOpen() || ::fstat(fd.get(), &info) != 0) {
        m_error = SafePath::errorText(errno);
        return;
    }
    if (!S_ISREG(info.st_mode)) {
        m_error = QStringLiteral("not a regular file");
        return;
    }
    m_error.clear();
    m_fd = std::move(fd);
    const bool isFirst = !std::exchange(m_isBegun, true);
    m_offset = isFirst ? std::max<qint64>(0, info.st_size - mostBytes) : 0;
    m_isFirstLineCut = m_offset > 0;
}

QByteArrayList FileTail::readLines()
{
    QByteArrayList lines;
    if (!m_fd.isOpen())
        open();
    if (!m_fd.isOpen()) {
        m_isBegun = true; // the file is created later
        return lines;
    }
    const bool wasReplaced = isReplaced(); // afterwards, nothing is added to the open file
    readAdded(lines);
    if (lines.isEmpty() && wasReplaced) {
        if (const QByteArray rest = takeRest(); !rest.isEmpty())
            lines.append(rest);
        m_fd.reset();
        open();
        if (m_fd.isOpen())
            readAdded(lines);
    }
    return lines;
}

void FileTail::readAdded(QByteArrayList &lines)
{
    struct stat info = {};
    if (::fstat(m_fd.get(), &info) == 0 && info.st_size < m_offset)
        m_offset = 0; // truncated
    std::array<char, 65536> part{};
    const qint64 end = m_offset + mostBytes;
    while (m_offset < end) {
        const ssize_t count = ::pread(m_fd.get(), part.data(), part.size(), m_offset);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            break;
        m_offset += count;
        m_rest.append(part.data(), count);
    }
    qsizetype begin = 0;
    for (qsizetype line = m_rest.indexOf('\n'); line >= 0; line = m_rest.indexOf('\n', begin)) {
        if (!std::exchange(m_isFirstLineCut, false))
            lines.append(m_rest.mid(begin, line - begin));
        begin = line + 1;
    }
    m_rest.remove(0, begin);
    if (m_rest.size() >= mostBytes)
        lines.append(takeRest());
}

QByteArray FileTail::takeRest() { return std::exchange(m_rest, {}); }

bool FileTail::isReplaced() const
{
    struct stat own = {};
    struct stat named = {};
    return ::fstat(m_fd.get(), &own) == 0 && ::stat(m_path.constData(), &named) == 0
        && (own.st_dev != named.st_dev || own.st_ino != named.st_ino);
}

} // namespace Rekindle

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QFile>
#include <QString>

#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <optional>

namespace Rekindle {

/// The address of a Unix socket at a path.
class SocketAddress
{
public:
    static constexpr qsizetype longestPath = sizeof(sockaddr_un::sun_path) - 1; ///< in bytes

    /// Returns nothing if the path is too long.
    static std::optional<SocketAddress> of(const QString &path)
    {
        const QByteArray name = QFile::encodeName(path);
        if (name.size() > longestPath)
            return std::nullopt;
        SocketAddress result;
        result.m_address.sun_family = AF_UNIX;
        std::copy(name.begin(), name.end(), std::begin(result.m_address.sun_path));
        return result;
    }

    static QString tooLongText(const QString &path)
    {
        return QStringLiteral("%1: expected a path of at most %2 bytes, found %3")
            .arg(path)
            .arg(longestPath)
            .arg(QFile::encodeName(path).size());
    }

    [[nodiscard]] const sockaddr *get() const
    {
        return reinterpret_cast<const sockaddr *>(&m_address);
    }
    [[nodiscard]] socklen_t size() const { return sizeof m_address; }

private:
    sockaddr_un m_address{};
};

} // namespace Rekindle

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QFile>
#include <QString>

#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace Rekindle {

// While it exists, this process and its new threads cannot write to the folder. Permissions do not
// restrict root, so root gets a private read-only mount.
class ReadOnlyFolder
{
public:
    explicit ReadOnlyFolder(const QString &folder)
        : m_folder(QFile::encodeName(folder))
    {
        if (::geteuid() != 0) {
            QFile::setPermissions(folder, QFile::ReadOwner | QFile::ExeOwner);
            return;
        }
        static const int refusal = enterOwnMounts() ? 0 : errno;
        const char *const name = m_folder.constData();
        errno = refusal;
        m_isMounted = refusal == 0 && ::mount(name, name, nullptr, MS_BIND, nullptr) == 0;
        if (!m_isMounted
            || ::mount(nullptr, name, nullptr, MS_REMOUNT | MS_BIND | MS_RDONLY, nullptr) != 0)
            m_fault = QString::fromLocal8Bit(std::strerror(errno));
    }
    ~ReadOnlyFolder()
    {
        if (m_isMounted)
            ::umount2(m_folder.constData(), MNT_DETACH);
        else if (::geteuid() != 0)
            QFile::setPermissions(QFile::decodeName(m_folder),
                                  QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }
    Q_DISABLE_COPY_MOVE(ReadOnlyFolder)

    /// Returns why the folder is not read-only, for example in a container; otherwise empty.
    [[nodiscard]] QString fault() const { return m_fault; }

private:
    static bool enterOwnMounts()
    {
        return ::unshare(CLONE_NEWNS) == 0
            && ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
    }

    QByteArray m_folder;
    QString m_fault;
    bool m_isMounted = false;
};

} // namespace Rekindle

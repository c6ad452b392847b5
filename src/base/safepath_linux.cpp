// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "safepath_p.h"

#include <QByteArrayList>
#include <QDir>
#include <QFile>

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <utility>
#include <vector>

namespace Rekindle {

namespace {

constexpr int maxLinks = 40;         // as in the kernel
constexpr int tooManyLinks = EMLINK; // not ELOOP, which is the error of an unsafe link

struct Folder
{
    UniqueFd fd;
    struct stat info = {};
    bool isSafe = false; ///< no other user can replace it
};

/// A walk along a path, one name at a time. openat2() cannot do this: it follows all links of a
/// path or none.
class PathWalk
{
public:
    explicit PathWalk(const QByteArray &path) { follow(path); }

    [[nodiscard]] UniqueFd open(int flags, mode_t mode);

private:
    void follow(const QByteArray &path);
    [[nodiscard]] bool isTrusted(uid_t user) const;
    [[nodiscard]] bool isSafe(const struct stat &entry) const;
    [[nodiscard]] bool followLink(const UniqueFd &link, const QByteArray &name,
                                  const struct stat &info);
    [[nodiscard]] UniqueFd look(const QByteArray &name, struct stat &info) const;
    [[nodiscard]] UniqueFd openEntry(const QByteArray &name, int flags, mode_t mode) const;
    [[nodiscard]] UniqueFd openLast(const QByteArray &name, int flags, mode_t mode);
    [[nodiscard]] int top() const { return m_folders.back().fd.get(); }

    std::vector<Folder> m_folders; ///< from the root folder to the current one
    QByteArrayList m_names;        ///< those that are left
    int m_links = 0;
};

UniqueFd failure(int error)
{
    errno = error;
    return {};
}

bool isOnProc(const UniqueFd &fd)
{
    struct statfs system = {};
    return ::fstatfs(fd.get(), &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}

void PathWalk::follow(const QByteArray &path)
{
    if (path.startsWith('/')) {
        Folder root{UniqueFd(::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC)), {}, true};
        static_cast<void>(::fstat(root.fd.get(), &root.info));
        m_folders.clear();
        m_folders.push_back(std::move(root));
    }
    QByteArrayList names = path.split('/');
    names.removeIf([](const QByteArray &name) { return name.isEmpty() || name == "."; });
    m_names = names + m_names;
}

// In a user namespace, root may have another number. It owns the root folder.
bool PathWalk::isTrusted(uid_t user) const
{
    return user == 0 || user == ::geteuid() || user == m_folders.front().info.st_uid;
}

// The host's own group is trusted, because it usually has no other members.
bool PathWalk::isSafe(const struct stat &entry) const
{
    const struct stat &folder = m_folders.back().info;
    const bool isGroupTrusted = folder.st_gid == ::getegid() || (folder.st_mode & S_IWGRP) == 0;
    const bool isWritable = !isGroupTrusted || (folder.st_mode & S_IWOTH) != 0;
    const bool isProtected = (folder.st_mode & S_ISVTX) != 0 && isTrusted(entry.st_uid);
    return m_folders.back().isSafe && isTrusted(folder.st_uid) && (!isWritable || isProtected);
}

// Sets errno and returns false on failure.
bool PathWalk::followLink(const UniqueFd &link, const QByteArray &name, const struct stat &info)
{
    if (!isSafe(info) || ++m_links > maxLinks) {
        errno = isSafe(info) ? tooManyLinks : ELOOP;
        return false;
    }
    if (isOnProc(link) && name != "self" && name != "thread-self") { // such as /proc/self/cwd
        Folder folder{UniqueFd(::openat(top(), name.constData(), O_PATH | O_DIRECTORY | O_CLOEXEC)),
                      {},
                      false};
        if (!folder.fd.isOpen() || ::fstat(folder.fd.get(), &folder.info) != 0)
            return false;
        m_folders.push_back(std::move(folder));
        return true;
    }
    QByteArray target(PATH_MAX, '\0');
    const ssize_t size =
        ::readlinkat(link.get(), "", target.data(), static_cast<std::size_t>(target.size()));
    if (size < 0)
        return false;
    target.truncate(size);
    follow(target);
    return true;
}

// Returns the entry itself, even if it is a link, without opening it for reading or writing.
UniqueFd PathWalk::look(const QByteArray &name, struct stat &info) const
{
    constexpr int flags = O_PATH | O_NOFOLLOW | O_CLOEXEC;
    // O_DIRECTORY triggers automounts.
    UniqueFd entry(
        ::openat(top(), name.constData(), flags | (m_names.isEmpty() ? 0 : O_DIRECTORY)));
    if (!entry.isOpen() && errno == ENOTDIR && !m_names.isEmpty())
        entry.reset(::openat(top(), name.constData(), flags));
    return entry.isOpen() && ::fstat(entry.get(), &info) == 0 ? std::move(entry) : UniqueFd();
}

UniqueFd PathWalk::openEntry(const QByteArray &name, int flags, mode_t mode) const
{
    return UniqueFd(::openat(top(), name.constData(), flags | O_CLOEXEC, mode));
}

// `name` is the last name of the path.
UniqueFd PathWalk::openLast(const QByteArray &name, int flags, mode_t mode)
{
    struct stat info = {};
    const UniqueFd entry = look(name, info);
    if (!entry.isOpen()) {
        const bool isCreated = errno == ENOENT && (flags & O_CREAT) != 0;
        return isCreated ? openEntry(name, flags | O_NOFOLLOW, mode) : UniqueFd();
    }
    if (!S_ISLNK(info.st_mode))
        return openEntry(name, flags | O_NOFOLLOW, mode);
    if ((flags & O_NOFOLLOW) != 0)
        return failure(ELOOP);
    if (isOnProc(entry) && isSafe(info)) // such as /proc/self/fd/0
        return openEntry(name, flags, mode);
    return followLink(entry, name, info) ? open(flags, mode) : UniqueFd();
}

UniqueFd PathWalk::open(int flags, mode_t mode)
{
    while (!m_names.isEmpty()) {
        const QByteArray name = m_names.takeFirst();
        if (name == "..") {
            if (m_folders.size() > 1)
                m_folders.pop_back();
            continue;
        }
        if (m_names.isEmpty())
            return openLast(name, flags, mode);
        struct stat info = {};
        UniqueFd entry = look(name, info);
        if (!entry.isOpen())
            return {};
        if (S_ISDIR(info.st_mode)) {
            m_folders.push_back({std::move(entry), info, isSafe(info)});
        } else if (!S_ISLNK(info.st_mode)) {
            return failure(ENOTDIR);
        } else if (!followLink(entry, name, info)) {
            return {};
        }
    }
    return UniqueFd(::openat(top(), ".", (flags & ~O_CREAT) | O_CLOEXEC));
}

} // namespace

SafePath::SafePath(const QString &path)
    : m_path(QFile::encodeName(
          QDir::isAbsolutePath(path) || path.isEmpty() ? path : QDir::currentPath() + u'/' + path))
{
}

UniqueFd SafePath::open(int flags, unsigned mode) const
{
    if (m_path.isEmpty() || m_path.contains('\0'))
        return failure(ENOENT);
    return PathWalk(m_path).open(flags, static_cast<mode_t>(mode));
}

UniqueFd SafePath::openFolder() const
{
    return PathWalk(m_path.left(m_path.lastIndexOf('/') + 1)).open(O_PATH | O_DIRECTORY, 0);
}

QString SafePath::errorText(int error)
{
    if (error == ELOOP)
        return QStringLiteral("a symbolic link in a folder that others can write to");
    return qt_error_string(error == tooManyLinks ? ELOOP : error);
}

} // namespace Rekindle

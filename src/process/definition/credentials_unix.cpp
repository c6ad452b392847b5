// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "credentials_p.h"

#include <grp.h>
#include <pwd.h>
#include <unistd.h>

#include <cerrno>

namespace Rekindle {

namespace {

// Large enough for any entry.
constexpr std::size_t largestBuffer = std::size_t{16} * 1024 * 1024;

// Calls getpwnam_r() or one of its relatives until the buffer is large enough. Returns 0 or an
// errno; `found` is null if there is no entry.
template<typename Entry, typename Lookup>
int lookUp(Entry &entry, Entry *&found, std::vector<char> &buffer, Lookup lookup)
{
    int error = ERANGE;
    for (std::size_t size = 4096; error == ERANGE && size <= largestBuffer; size *= 4) {
        buffer.resize(size);
        error = lookup(&entry, buffer.data(), size, &found);
    }
    // These mean that there is no entry: see getpwnam(3).
    if (error == ENOENT || error == ESRCH || error == EBADF || error == EPERM)
        return 0;
    return error;
}

// The largest number is the "no change" of setresuid().
std::optional<quint32> idOf(const QString &text)
{
    bool isNumber = false;
    const quint32 id = text.toUInt(&isNumber);
    return isNumber && QString::number(id) == text && id != ~quint32{0} ? std::optional(id)
                                                                        : std::nullopt;
}

Credentials::Error errorOf(const char *key, int number, const QString &text)
{
    return {{QLatin1String(key), text}, number};
}

} // namespace

std::variant<Credentials, Credentials::Error> Credentials::of(const ProcessIdentity &identity)
{
    Credentials credentials;
    credentials.m_ids.user = ::geteuid();
    credentials.m_ids.group = ::getegid();
    if (!identity.user.isEmpty()) {
        if (auto error = credentials.findUser(identity))
            return *error;
    }
    if (!identity.group.isEmpty()) {
        if (auto error = credentials.findGroup(identity.group))
            return *error;
    }
    if (credentials.m_changesUser)
        credentials.findGroups();
    return credentials;
}

std::optional<Credentials::Error> Credentials::findUser(const ProcessIdentity &identity)
{
    const QByteArray name = identity.user.toLocal8Bit();
    const std::optional<quint32> id = idOf(identity.user);
    passwd entry{};
    passwd *found = nullptr;
    std::vector<char> buffer;
    const int error =
        lookUp(entry, found, buffer, [&](passwd *at, char *text, std::size_t size, passwd **end) {
            return id ? ::getpwuid_r(*id, at, text, size, end)
                      : ::getpwnam_r(name.constData(), at, text, size, end);
        });
    if (error != 0)
        return errorOf(
            "user", error,
            QStringLiteral("the user database cannot be read: %1").arg(qt_error_string(error)));
    m_changesUser = true;
    if (found == nullptr && (!id || identity.group.isEmpty()))
        return errorOf(
            "user", 0,
            QStringLiteral("expected a user of this machine%1, found \"%2\"")
                .arg(id ? QStringLiteral(", or \"group\" in addition to the number") : QString(),
                     identity.user));
    if (found == nullptr) {
        m_ids.user = *id;
        return {};
    }
    m_ids.user = found->pw_uid;
    m_ids.group = found->pw_gid;
    m_name = found->pw_name;
    const auto set = [&](const char *variable, const char *value) {
        if (value != nullptr && *value != '\0')
            m_variables.insert(QLatin1String(variable), QString::fromLocal8Bit(value));
    };
    set("HOME", found->pw_dir);
    set("USER", found->pw_name);
    set("LOGNAME", found->pw_name);
    set("SHELL", found->pw_shell);
    return {};
}

std::optional<Credentials::Error> Credentials::findGroup(const QString &group)
{
    if (const std::optional<quint32> id = idOf(group)) {
        m_ids.group = *id;
        return {};
    }
    const QByteArray name = group.toLocal8Bit();
    ::group entry{};
    ::group *found = nullptr;
    std::vector<char> buffer;
    const int error =
        lookUp(entry, found, buffer, [&](::group *at, char *text, std::size_t size, ::group **end) {
            return ::getgrnam_r(name.constData(), at, text, size, end);
        });
    if (error != 0)
        return errorOf(
            "group", error,
            QStringLiteral("the group database cannot be read: %1").arg(qt_error_string(error)));
    if (found == nullptr)
        return errorOf(
            "group", 0,
            QStringLiteral("expected a Unix group of this machine, found \"%1\"").arg(group));
    m_ids.group = found->gr_gid;
    return {};
}

void Credentials::findGroups()
{
    m_groups = {m_ids.group};
    if (m_name.isEmpty())
        return;
    int count = 64;
    do {
        m_groups.resize(static_cast<std::size_t>(count));
    } while (::getgrouplist(m_name.constData(), m_ids.group, m_groups.data(), &count) < 0
             && count > static_cast<int>(m_groups.size()));
    m_groups.resize(static_cast<std::size_t>(count));
}

bool Credentials::areOwn() const { return m_ids.user == ::geteuid() && m_ids.group == ::getegid(); }

std::optional<ChildIdentity> Credentials::forChild() const
{
    if (areOwn() && ::geteuid() != 0)
        return {};
    ChildIdentity child = m_ids;
    if (m_changesUser) {
        child.groups = m_groups.data();
        child.groupCount = m_groups.size();
    }
    return child;
}

} // namespace Rekindle

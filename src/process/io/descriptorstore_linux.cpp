// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "descriptorstore_p.h"

#include <linux/kcmp.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

constexpr qsizetype longestName = 255;
constexpr qsizetype longestProcessId = 10; // of a 32-bit number

// In the child, they have the numbers 3 and above, so in the host they must have higher ones.
constexpr int lowestNumber = 3 + static_cast<int>(DescriptorStore::maxCount);

const char *const processIdName = "LISTEN_PID=";

// As sd_listen_fds_with_names() expects them: a list of names is separated by colons.
bool isValidName(const QByteArray &name)
{
    return !name.isEmpty() && name.size() <= longestName
        && std::all_of(name.begin(), name.end(),
                       [](char c) { return c >= ' ' && c < '\x7f' && c != ':'; });
}

bool isSameFile(int one, int other)
{
    const pid_t self = ::getpid();
    const long order = ::syscall(SYS_kcmp, self, self, KCMP_FILE, one, other);
    if (order >= 0)
        return order == 0;
    // Containers may forbid kcmp.
    struct stat first = {};
    struct stat second = {};
    return ::fstat(one, &first) == 0 && ::fstat(other, &second) == 0
        && first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

} // namespace

QByteArray DescriptorStore::nameFor(const QByteArray &name)
{
    return isValidName(name) ? name : QByteArrayLiteral("stored");
}

QString DescriptorStore::add(std::vector<UniqueFd> descriptors, const QByteArray &name,
                             bool ignoresHangUp)
{
    removeHungUp();
    std::vector<Entry> added;
    for (UniqueFd &each : descriptors) {
        const auto isThere = [&each](const Entry &entry) {
            return isSameFile(entry.fd.get(), each.get());
        };
        if (std::any_of(m_entries.begin(), m_entries.end(), isThere)
            || std::any_of(added.begin(), added.end(), isThere))
            continue;
        UniqueFd fd = longLived(std::move(each));
        if (fd.get() < lowestNumber)
            return QStringLiteral("the host has no free descriptor");
        added.push_back({std::move(fd), nameFor(name), ignoresHangUp});
    }
    if (m_entries.size() + added.size() > maxCount)
        return QStringLiteral("an agent can store at most %1 descriptors").arg(maxCount);
    std::move(added.begin(), added.end(), std::back_inserter(m_entries));
    return {};
}

void DescriptorStore::remove(const QByteArray &name)
{
    std::erase_if(m_entries, [&name](const Entry &entry) { return entry.name == name; });
}

QStringList DescriptorStore::names()
{
    removeHungUp();
    QStringList names;
    for (const Entry &entry : m_entries)
        names.append(QString::fromLatin1(entry.name));
    return names;
}

DescriptorStore::Passed DescriptorStore::forStart()
{
    removeHungUp();
    Passed passed;
    if (m_entries.empty())
        return passed;
    QByteArrayList names;
    for (const Entry &entry : m_entries) {
        passed.descriptors.push_back(entry.fd.get());
        names.append(entry.name);
    }
    passed.count = "LISTEN_FDS=" + QByteArray::number(names.size());
    passed.names = "LISTEN_FDNAMES=" + names.join(':');
    passed.processId = processIdName + QByteArray(longestProcessId, '0');
    return passed;
}

char *DescriptorStore::Passed::processIdText()
{
    return processId.isEmpty() ? nullptr : processId.data() + qstrlen(processIdName);
}

// Only when they are used: watching them costs more than storing them longer.
void DescriptorStore::removeHungUp()
{
    std::erase_if(m_entries, [](const Entry &entry) {
        pollfd request{entry.fd.get(), 0, 0}; // reports POLLHUP and POLLERR only
        return !entry.ignoresHangUp && ::poll(&request, 1, 0) > 0;
    });
}

} // namespace Rekindle

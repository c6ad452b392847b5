// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "childenvironment_p.h"

#include "process/guard/guardtable_p.h"

#include <QSet>

#include <unistd.h>

#include <cstring>
#include <mutex>

namespace Rekindle {

struct ChildEnvironment::Snapshot
{
    std::vector<const char *> source; // to detect changes of environ
    std::vector<QByteArray> texts;
    std::vector<char *> entries;
};

namespace {

QByteArray nameOf(const char *entry)
{
    const char *end = std::strchr(entry, '=');
    return end ? QByteArray(entry, end - entry) : QByteArray(entry);
}

bool isForHostAlone(const QByteArray &name)
{
    static const QSet<QByteArray> names{"NOTIFY_SOCKET",
                                        "WATCHDOG_USEC",
                                        "WATCHDOG_PID",
                                        "LISTEN_FDS",
                                        "LISTEN_PID",
                                        "LISTEN_FDNAMES",
                                        "JOURNAL_STREAM",
                                        "MEMORY_PRESSURE_WATCH",
                                        "MEMORY_PRESSURE_WRITE",
                                        "REKINDLE_FENCE",
                                        markName};
    return names.contains(name);
}

bool isUnchanged(const std::vector<const char *> &source)
{
    std::size_t count = 0;
    for (char **entry = environ; entry && *entry; ++entry, ++count) {
        if (count == source.size() || source[count] != *entry)
            return false;
    }
    return count == source.size();
}

} // namespace

std::shared_ptr<const ChildEnvironment::Snapshot> ChildEnvironment::snapshot()
{
    static std::mutex mutex;
    static std::weak_ptr<const Snapshot> last;
    const std::scoped_lock lock(mutex);
    if (std::shared_ptr<const Snapshot> current = last.lock();
        current && isUnchanged(current->source))
        return current;
    const auto made = std::make_shared<Snapshot>();
    for (char **entry = environ; entry && *entry; ++entry) {
        made->source.push_back(*entry);
        if (!isForHostAlone(nameOf(*entry)))
            made->texts.emplace_back(*entry);
    }
    for (QByteArray &text : made->texts)
        made->entries.push_back(text.data());
    last = made;
    return made;
}

ChildEnvironment::ChildEnvironment(const Changes &changes)
    : m_host(snapshot())
{
    if (changes.isEmpty())
        return;
    QSet<QByteArray> changed;
    m_changes.reserve(static_cast<std::size_t>(changes.size()));
    for (auto change = changes.begin(); change != changes.end(); ++change) {
        const QByteArray name = change.key().toLocal8Bit();
        changed.insert(name);
        if (change.value())
            m_changes.push_back(name + '=' + change.value()->toLocal8Bit());
    }
    for (char *entry : m_host->entries) {
        if (!changed.contains(nameOf(entry)))
            m_entries.push_back(entry);
    }
    for (QByteArray &text : m_changes)
        m_entries.push_back(text.data());
}

const std::vector<char *> &ChildEnvironment::entries() const
{
    return m_entries.empty() ? m_host->entries : m_entries;
}

QByteArray ChildEnvironment::value(const QByteArray &name) const
{
    for (const char *entry : entries()) {
        if (nameOf(entry) == name)
            return {entry + name.size() + (entry[name.size()] == '=' ? 1 : 0)};
    }
    return {};
}

std::optional<QString> ChildEnvironment::firstFault(const Changes &changes)
{
    for (auto change = changes.begin(); change != changes.end(); ++change) {
        const QString &name = change.key();
        if (name.isEmpty() || name.contains(u'=') || name.contains(QChar::Null)
            || (change.value() && change.value()->contains(QChar::Null)))
            return name;
    }
    return std::nullopt;
}

} // namespace Rekindle

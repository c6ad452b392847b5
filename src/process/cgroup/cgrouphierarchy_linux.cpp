// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cgrouphierarchy_p.h"

#include "base/uniquefd_p.h"

#include <QDir>
#include <QFile>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <mutex>

namespace Rekindle {

namespace {

constexpr char agentPrefix[] = "rekindle-"; // followed by the process id of the host and a number
constexpr char hostGroup[] = "/rekindle-host";

QString errorText(const QByteArray &path, int error)
{
    return QFile::decodeName(path) + QLatin1String(": ") + qt_error_string(error);
}

// The parts of a path in mountinfo: "\040" is a blank.
QByteArray unescaped(const QByteArray &text)
{
    QByteArray result;
    for (qsizetype i = 0; i < text.size(); ++i) {
        bool isOctal = false;
        const int code = text.at(i) == '\\' ? text.mid(i + 1, 3).toInt(&isOctal, 8) : 0;
        result += isOctal ? static_cast<char>(code) : text.at(i);
        i += isOctal ? 3 : 0;
    }
    return result;
}

bool isOwnProcess(const QByteArray &process)
{
    if (process.toLongLong() == ::getpid())
        return true;
    // The guard of this host moves, too.
    return readCgroupFile("/proc/" + process + "/comm").trimmed() == "rekindle-guard"
        && readCgroupFile("/proc/" + process + "/cmdline").split('\0').value(1).toLongLong()
        == ::getpid();
}

// systemd manages the groups that it has not delegated, even if this user can write to them. It
// marks the others since version 251.
bool isManagedBySystemd(const QByteArray &folder)
{
    char mark = '\0';
    return ::access("/run/systemd/system", F_OK) == 0
        && !(::getxattr(folder.constData(), "user.delegate", &mark, 1) == 1 && mark == '1');
}

} // namespace

int writeCgroupFile(const QByteArray &path, const QByteArray &text)
{
    // A control group permits no new files, unlike the folders of tests.
    constexpr mode_t permissions = 0644;
    const UniqueFd file(::open(path.constData(), O_WRONLY | O_CREAT | O_CLOEXEC, permissions));
    if (!file.isOpen())
        return errno;
    return ::write(file.get(), text.constData(), static_cast<std::size_t>(text.size())) < 0 ? errno
                                                                                            : 0;
}

QByteArray readCgroupFile(const QByteArray &path)
{
    QFile file(QFile::decodeName(path));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

std::optional<qint64> oomKillsIn(const QByteArray &path)
{
    for (const QByteArray &line : readCgroupFile(path).split('\n')) {
        const QByteArray name("oom_kill ");
        bool isNumber = false;
        const qint64 count = line.mid(name.size()).toLongLong(&isNumber);
        if (line.startsWith(name) && isNumber)
            return count;
    }
    return {};
}

CgroupHierarchy &CgroupHierarchy::instance()
{
    static CgroupHierarchy own = [] {
        CgroupHierarchy found(folderFrom(readCgroupFile("/proc/self/mountinfo"),
                                         readCgroupFile("/proc/self/cgroup")));
        found.m_isManaged = isManagedBySystemd(found.m_folder);
        return found;
    }();
    return own;
}

// proc_pid_mountinfo(5): "ID PARENT DEVICE ROOT MOUNT OPTIONS... - TYPE SOURCE SUPER". ROOT is the
// group that is mounted.
QByteArray CgroupHierarchy::folderFrom(const QByteArray &mounts, const QByteArray &cgroups)
{
    QByteArray path;
    for (const QByteArray &line : cgroups.split('\n')) {
        if (line.startsWith("0::"))
            path = line.mid(3);
    }
    for (const QByteArray &line : mounts.split('\n')) {
        const QByteArrayList fields = line.left(line.indexOf(" - ")).split(' ');
        if (!line.contains(" - cgroup2 ") || fields.size() < 5 || path.isEmpty())
            continue;
        const QByteArray root = unescaped(fields[3]);
        const QByteArray mount = unescaped(fields[4]);
        if (root == "/")
            return path == "/" ? mount : mount + path;
        if (path == root || path.startsWith(QByteArray(root + '/')))
            return mount + path.mid(root.size());
    }
    return {};
}

std::variant<QByteArray, QString> CgroupHierarchy::create(const CgroupLimits &limits,
                                                          QStringList &missing)
{
    static std::mutex mutex;
    const std::scoped_lock lock(mutex);
    if (m_folder.isEmpty())
        return QStringLiteral("cgroup v2 is not mounted");
    if (m_isManaged)
        return QStringLiteral("systemd has not delegated %1; expected a unit with Delegate=yes")
            .arg(QFile::decodeName(m_folder));
    if (m_count == 0)
        removeOldGroups();
    QByteArrayList wanted;
    if (limits.memoryMax > 0)
        wanted.append("memory");
    if (limits.tasksMax > 0)
        wanted.append("pids");
    if (const QString fault = enable(wanted); !fault.isEmpty())
        missing.append(fault);
    QByteArray folder = m_folder + '/' + agentPrefix + QByteArray::number(qint64{::getpid()}) + '-'
        + QByteArray::number(++m_count);
    constexpr mode_t permissions = 0755;
    if (::mkdir(folder.constData(), permissions) != 0)
        return errorText(folder, errno);
    const auto set = [&](const char *file, qint64 value) {
        if (value == 0 || !missing.isEmpty())
            return;
        if (const int error = writeCgroupFile(folder + file, QByteArray::number(value)))
            missing.append(errorText(folder + file, error));
    };
    set("/memory.max", limits.memoryMax);
    set("/pids.max", limits.tasksMax);
    return folder;
}

// Returns why a controller is not available. A group with processes can have no controllers for
// groups in it, except the root.
QString CgroupHierarchy::enable(const QByteArrayList &controllers)
{
    const QByteArray file = m_folder + "/cgroup.subtree_control";
    const auto isIn = [](const QByteArray &list, const QByteArray &name) {
        return list.simplified().split(' ').contains(name);
    };
    QByteArray change;
    for (const QByteArray &each : controllers) {
        if (!isIn(readCgroupFile(m_folder + "/cgroup.controllers"), each))
            return QStringLiteral("the controller \"%1\" is not available in %2")
                .arg(QString::fromLatin1(each), QFile::decodeName(m_folder));
        if (!isIn(readCgroupFile(file), each))
            change += '+' + each + ' ';
    }
    if (change.isEmpty())
        return {};
    int error = writeCgroupFile(file, change);
    if (error == EBUSY) {
        if (QString fault = leave(); !fault.isEmpty())
            return fault;
        error = writeCgroupFile(file, change);
    }
    return error == 0 ? QString() : errorText(file, error);
}

// Moves this process into a group of its own. Returns why it must not.
QString CgroupHierarchy::leave()
{
    const QByteArrayList processes = readCgroupFile(m_folder + "/cgroup.procs").split('\n');
    for (const QByteArray &each : processes) {
        if (!each.isEmpty() && !isOwnProcess(each))
            return QStringLiteral(
                       "%1 has other processes (%2); start the host with a cgroup of its "
                       "own, such as a systemd unit with Delegate=yes, and its agents "
                       "with a cgroup first")
                .arg(QFile::decodeName(m_folder), QString::fromLatin1(each));
    }
    const QByteArray group = m_folder + hostGroup;
    constexpr mode_t permissions = 0755;
    if (::mkdir(group.constData(), permissions) != 0 && errno != EEXIST)
        return errorText(group, errno);
    for (const QByteArray &each : processes) {
        if (each.isEmpty())
            continue;
        if (const int error = writeCgroupFile(group + "/cgroup.procs", each);
            error != 0 && error != ESRCH)
            return errorText(group, error);
    }
    return {};
}

// Removes the groups of hosts that were killed.
void CgroupHierarchy::removeOldGroups()
{
    const QStringList groups =
        QDir(QFile::decodeName(m_folder))
            .entryList({QLatin1String(agentPrefix) + QLatin1String("*-*")}, QDir::Dirs);
    for (const QString &each : groups) {
        bool isNumber = false;
        const int host = each.section(u'-', 1, 1).toInt(&isNumber);
        if (!isNumber || host <= 1 || ::kill(host, 0) == 0 || errno != ESRCH)
            continue;
        const QByteArray folder = m_folder + '/' + QFile::encodeName(each);
        (void)writeCgroupFile(folder + "/cgroup.kill", "1");
        ::rmdir(folder.constData());
    }
}

} // namespace Rekindle

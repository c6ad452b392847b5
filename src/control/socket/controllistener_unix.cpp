// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/socket/controllistener_p.h"

#include "control/socket/controlfolder_p.h"
#include "control/socket/socketaddress_p.h"

#include <QFile>
#include <QFileInfo>

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace Rekindle {

namespace {

constexpr int pendingConnections = 64;
// After a failed accept, for example because no descriptor is free.
constexpr Duration acceptPause = std::chrono::seconds(1);
constexpr Duration bindPause = std::chrono::seconds(1);
constexpr Duration reportPause = std::chrono::minutes(1);
constexpr int acceptedPerPass = 16;

// Identifies a file.
std::optional<std::pair<dev_t, ino_t>> fileAt(const QByteArray &name)
{
    struct stat status{};
    if (::lstat(name.constData(), &status) != 0)
        return std::nullopt;
    return std::pair(status.st_dev, status.st_ino);
}

} // namespace

ControlListener::ControlListener(QString path, Scheduler &scheduler,
                                 std::function<void(UniqueFd)> accepted)
    : m_path(std::move(path))
    , m_scheduler(scheduler)
    , m_accepted(std::move(accepted))
    , m_lock(std::make_unique<HostLock>())
    , m_acceptAgain(scheduler,
                    [this] {
                        if (m_readable)
                            m_readable->setEnabled(true);
                    })
    , m_bindAgain(scheduler, [this] { checkSocket(); })
{
}

ControlListener::~ControlListener()
{
    m_readable.reset();
    removeSocket();
    m_lock->remove();
}

QString ControlListener::listen()
{
    if (QString fault = acquireSocketLock(*m_lock, m_path); !fault.isEmpty())
        return fault;
    if (QString fault = bindSocket(); !fault.isEmpty())
        return fault;
    removeSocketsOfKilledHosts(QFileInfo(m_path).absolutePath());
    watchFolder();
    connect(&m_folder, &QFileSystemWatcher::directoryChanged, this, &ControlListener::checkSocket);
    return {};
}

// The permissions are set before listen(), because no client can connect earlier.
QString ControlListener::bindSocket()
{
    const std::optional<SocketAddress> address = SocketAddress::of(m_path);
    if (!address)
        return SocketAddress::tooLongText(m_path);
    // This process holds the lock, so an existing socket belongs to a host that has exited.
    const QByteArray name = QFile::encodeName(m_path);
    struct stat existing{};
    if (::lstat(name.constData(), &existing) == 0) {
        if (!S_ISSOCK(existing.st_mode) || existing.st_uid != ::geteuid())
            return QStringLiteral("%1: expected a socket of this user, found another file")
                .arg(m_path);
        ::unlink(name.constData());
    }
    UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!socket.isOpen() || ::bind(socket.get(), address->get(), address->size()) != 0)
        return QStringLiteral("cannot bind %1: %2").arg(m_path, qt_error_string());
    m_bound = fileAt(name);
    if (::chmod(name.constData(), S_IRUSR | S_IWUSR) != 0
        || ::listen(socket.get(), pendingConnections) != 0) {
        QString fault = QStringLiteral("cannot listen on %1: %2").arg(m_path, qt_error_string());
        removeSocket();
        return fault;
    }
    m_readable.reset();
    m_socket = longLived(std::move(socket));
    m_readable = std::make_unique<QSocketNotifier>(m_socket.get(), QSocketNotifier::Read);
    connect(m_readable.get(), &QSocketNotifier::activated, this, &ControlListener::acceptAll);
    return {};
}

bool ControlListener::isBound() const
{
    return m_bound && fileAt(QFile::encodeName(m_path)) == m_bound;
}

void ControlListener::removeSocket()
{
    if (isBound())
        ::unlink(QFile::encodeName(m_path).constData());
    m_bound.reset();
}

void ControlListener::acceptAll()
{
    for (int i = 0; i < acceptedPerPass; ++i) {
        UniqueFd connection(
            ::accept4(m_socket.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
        if (connection.isOpen()) {
            m_accepted(longLived(std::move(connection)));
            continue;
        }
        if (errno == ECONNABORTED || errno == EINTR)
            continue;
        if (errno != EAGAIN) {
            m_readable->setEnabled(false);
            m_acceptAgain.armIn(acceptPause);
        }
        return;
    }
}

// The folder may have been created again. The old watch is removed explicitly, because open
// connections keep it alive.
void ControlListener::watchFolder()
{
    const QString folder = QFileInfo(m_path).absolutePath();
    m_folder.removePath(folder);
    m_folder.addPath(folder);
}

// Programs that clean up old files remove sockets, too, and even the lock and the folder.
void ControlListener::checkSocket()
{
    if (m_lock->isHeld() && isBound())
        return;
    const bool isReplaced = !isBound() && fileAt(QFile::encodeName(m_path));
    QString fault = prepareControlFolder(QFileInfo(m_path).absolutePath());
    if (fault.isEmpty() && !m_lock->isHeld()) {
        m_lock = std::make_unique<HostLock>();
        fault = acquireSocketLock(*m_lock, m_path);
        if (m_lock->isUsedElsewhere()) { // another host has taken the name
            m_readable.reset();
            m_socket.reset();
            m_bound.reset();
        }
    }
    if (fault.isEmpty() && !isBound())
        fault = bindSocket();
    if (!fault.isEmpty())
        m_bindAgain.armIn(bindPause);
    watchFolder();
    if (m_lock->isUsedElsewhere())
        report(QStringLiteral("%1: %2; no client can connect until that host exits")
                   .arg(m_path, fault));
    else if (!fault.isEmpty())
        report(fault + QLatin1String("; no client can connect"));
    else
        report(QStringLiteral("%1: %2 by another program; listening again")
                   .arg(m_path, isReplaced ? QLatin1String("replaced") : QLatin1String("removed")));
}

void ControlListener::report(const QString &text)
{
    if (text == m_reported && m_scheduler.now() < m_reportAgain)
        return;
    m_reported = text;
    m_reportAgain = m_scheduler.now() + reportPause;
    Q_EMIT socketChanged(text);
}

} // namespace Rekindle

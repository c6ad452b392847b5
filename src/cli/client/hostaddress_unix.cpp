// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "hostaddress_p.h"

#include "base/uniquefd_p.h"

#include <rekindle/control/controlclient.h>

#include <QFile>
#include <QUrl>

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <vector>

namespace Rekindle {

namespace {

constexpr char scheme[] = "ssh://";

// For the shell on the other machine.
QString quoted(QString word)
{
    word.replace(u'\'', QLatin1String(R"('\'')"));
    return u'\'' + word + u'\'';
}

// `control-mcp` starts ssh for each call. Those that have exited are reaped before the next start.
std::vector<pid_t> &startedProcesses()
{
    static std::vector<pid_t> processes;
    std::erase_if(processes, [](pid_t each) { return ::waitpid(each, nullptr, WNOHANG) != 0; });
    return processes;
}

// Starts a command with one descriptor as its stdin and stdout. Returns 0 or an errno.
int startWith(int descriptor, const QStringList &command)
{
    std::vector<QByteArray> words;
    words.reserve(static_cast<std::size_t>(command.size()));
    for (const QString &word : command)
        words.push_back(QFile::encodeName(word));
    std::vector<char *> arguments;
    arguments.reserve(words.size() + 1);
    for (QByteArray &word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions{};
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, descriptor, STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, descriptor, STDOUT_FILENO);
    // main() ignores these.
    sigset_t defaults{};
    ::sigemptyset(&defaults);
    for (const int number : {SIGPIPE, SIGXFSZ, SIGTTOU})
        ::sigaddset(&defaults, number);
    posix_spawnattr_t attributes{};
    ::posix_spawnattr_init(&attributes);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    ::posix_spawnattr_setsigdefault(&attributes, &defaults);
    pid_t process = 0;
    const int error = ::posix_spawnp(&process, arguments.front(), &actions, &attributes,
                                     arguments.data(), environ);
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&actions);
    if (error == 0)
        startedProcesses().push_back(process);
    return error;
}

} // namespace

bool isRemoteHost(const QString &address) { return address.startsWith(QLatin1String(scheme)); }

QStringList remoteCommand(const QString &address)
{
    const QUrl url(address, QUrl::StrictMode);
    const QString name = url.path().mid(1);
    if (!url.isValid() || url.host().isEmpty() || !url.password().isEmpty() || url.hasQuery()
        || url.hasFragment())
        return {};
    QStringList command{QStringLiteral("ssh"), QStringLiteral("-T")};
    if (url.port() > 0)
        command << QStringLiteral("-p") << QString::number(url.port());
    const QString user = url.userName();
    QString remote = QStringLiteral("rekindle control-stdio");
    if (!name.isEmpty())
        remote += QLatin1String(" --host ") + quoted(name);
    // Nothing after -- is an option.
    command << QStringLiteral("--") << (user.isEmpty() ? url.host() : user + u'@' + url.host())
            << remote;
    return command;
}

// ssh ends when its stdin ends, which is when the client closes its end.
QString openHost(ControlClient &client, const QString &address)
{
    if (!isRemoteHost(address)) {
        client.open(address);
        return {};
    }
    std::array<int, 2> ends{-1, -1};
    int error = ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0 ? 0 : errno;
    UniqueFd own(ends[0]);
    const UniqueFd other(ends[1]);
    if (error == 0)
        error = startWith(other.get(), remoteCommand(address));
    if (error != 0)
        return QStringLiteral("%1: ssh cannot be started: %2").arg(address, qt_error_string(error));
    client.open(own.release(), address);
    return {};
}

// The kernel knows which process listens.
QString processTextOf(const QString &address)
{
    if (isRemoteHost(address))
        return {};
    const UniqueFd socket(ControlClient::connectedSocket(address).socket);
    ucred host{};
    socklen_t size = sizeof host;
    if (::getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &host, &size) != 0)
        return {};
    return QStringLiteral(" (process %1)").arg(host.pid);
}

} // namespace Rekindle

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/uniquefd_p.h"

#include <rekindle/control/hostaddress.h>

#include <QFile>
#include <QMutex>
#include <QUrl>

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <utility>
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
void addStartedProcess(pid_t process)
{
    static QBasicMutex mutex;
    static std::vector<pid_t> processes;
    const QMutexLocker lock(&mutex);
    std::erase_if(processes, [](pid_t each) { return ::waitpid(each, nullptr, WNOHANG) != 0; });
    processes.push_back(process);
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
    // main() of the command ignores these.
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
        addStartedProcess(process);
    return error;
}

} // namespace

HostAddress::HostAddress(QString text, QString folder)
    : m_text(std::move(text))
    , m_folder(std::move(folder))
{
}

bool HostAddress::isRemote() const { return m_text.startsWith(QLatin1String(scheme)); }

QString HostAddress::socketPath() const
{
    if (isRemote())
        return {};
    return m_text.contains(u'/') ? m_text : ControlClient::socketPath(m_text, m_folder);
}

QStringList HostAddress::command() const
{
    if (!isRemote())
        return {};
    const QUrl url(m_text, QUrl::StrictMode);
    const QString name = url.path().mid(1);
    if (!url.isValid() || url.host().isEmpty() || !url.password().isEmpty() || url.hasQuery()
        || url.hasFragment())
        return {};
    QStringList words{QStringLiteral("ssh"), QStringLiteral("-T")};
    if (url.port() > 0)
        words << QStringLiteral("-p") << QString::number(url.port());
    const QString user = url.userName();
    QString remote = QStringLiteral("rekindle control-stdio");
    if (!name.isEmpty())
        remote += QLatin1String(" --host ") + quoted(name);
    // Nothing after -- is an option.
    words << QStringLiteral("--") << (user.isEmpty() ? url.host() : user + u'@' + url.host())
          << remote;
    return words;
}

// ssh ends when its stdin ends, which is when the client closes its end.
ControlClient::Connection HostAddress::connectedSocket() const
{
    if (!isRemote())
        return ControlClient::connectedSocket(socketPath());
    ControlClient::Connection connection;
    const QStringList words = command();
    if (words.isEmpty()) {
        connection.fault =
            QStringLiteral("expected ssh://[USER@]MACHINE[:PORT]/[NAME], found \"%1\"").arg(m_text);
        return connection;
    }
    std::array<int, 2> ends{-1, -1};
    int error = ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0 ? 0 : errno;
    UniqueFd own(ends[0]);
    const UniqueFd other(ends[1]);
    if (error == 0)
        error = startWith(other.get(), words);
    if (error == 0)
        connection.socket = own.release();
    else
        connection.fault =
            QStringLiteral("%1: ssh cannot be started: %2").arg(m_text, qt_error_string(error));
    return connection;
}

} // namespace Rekindle

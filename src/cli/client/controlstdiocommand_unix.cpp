// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/uniquefd_p.h"
#include "cli/commands/command_p.h"
#include "hostaddress_p.h"
#include "hostchoice_p.h"
#include "hostconnection_p.h"

#include <rekindle/control/controlclient.h>

#include <climits>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace Rekindle {

namespace {

/// Bytes on their way from one descriptor to another.
class Direction
{
public:
    Direction(int from, int to)
        : m_from(from)
        , m_to(to)
    {
    }

    /// No more bytes can arrive, and all were written.
    [[nodiscard]] bool hasEnded() const { return m_isClosed || (m_isAtEnd && isEmpty()); }

    [[nodiscard]] pollfd reading() const
    {
        return {isEmpty() && !m_isAtEnd && !m_isClosed ? m_from : -1, POLLIN, 0};
    }
    [[nodiscard]] pollfd writing() const { return {isEmpty() ? -1 : m_to, POLLOUT, 0}; }

    /// The errno of the write that has failed, except because the reader has ended.
    [[nodiscard]] int error() const { return m_error == EPIPE ? 0 : m_error; }

    void read()
    {
        const ssize_t count = ::read(m_from, m_bytes.data(), m_bytes.size());
        if (count < 0 && (errno == EINTR || errno == EAGAIN))
            return;
        m_isAtEnd = count <= 0;
        m_start = 0;
        m_end = static_cast<std::size_t>(std::max<ssize_t>(count, 0));
    }

    void write()
    {
        ssize_t count =
            ::send(m_to, m_bytes.data() + m_start, m_end - m_start, MSG_DONTWAIT | MSG_NOSIGNAL);
        // poll() says that a pipe has room for this many bytes.
        if (count < 0 && errno == ENOTSOCK)
            count = ::write(m_to, m_bytes.data() + m_start,
                            std::min(m_end - m_start, std::size_t{PIPE_BUF}));
        if (count < 0 && (errno == EINTR || errno == EAGAIN))
            return;
        m_isClosed = count < 0;
        m_error = m_isClosed ? errno : 0;
        m_start = m_isClosed ? m_end : m_start + static_cast<std::size_t>(count);
    }

private:
    [[nodiscard]] bool isEmpty() const { return m_start == m_end; }

    const int m_from;
    const int m_to;
    std::array<char, 65536> m_bytes{};
    std::size_t m_start = 0;
    std::size_t m_end = 0;
    bool m_isAtEnd = false;
    bool m_isClosed = false; ///< a write has failed
    int m_error = 0;         ///< of that write
};

// Copies bytes from stdin to a connected socket, and from the socket to stdout, until the socket
// ends or stdout is closed. The end of stdin closes only its direction of the socket, so that
// responses still arrive. Returns the errno of a failed write to stdout; 0 without one, and if the
// reader of stdout has ended.
int bridgeToStdio(int socket)
{
    Direction requests(STDIN_FILENO, socket);
    Direction responses(socket, STDOUT_FILENO);
    bool isHalfClosed = false;
    while (!responses.hasEnded()) {
        // The last one reports only that the reader of stdout has gone.
        std::array<pollfd, 5> waits{requests.reading(), requests.writing(), responses.reading(),
                                    responses.writing(), pollfd{STDOUT_FILENO, 0, 0}};
        if (::poll(waits.data(), waits.size(), -1) < 0) {
            if (errno == EINTR)
                continue;
            return errno;
        }
        if (waits[0].revents != 0)
            requests.read();
        if (waits[1].revents != 0)
            requests.write();
        if (waits[2].revents != 0)
            responses.read();
        if (waits[3].revents != 0)
            responses.write();
        if ((waits[4].revents & (POLLERR | POLLHUP | POLLNVAL)) != 0)
            return responses.error();
        if (requests.hasEnded() && !isHalfClosed) {
            ::shutdown(socket, SHUT_WR);
            isHalfClosed = true;
        }
    }
    return responses.error();
}

class ControlStdioCommand final : public Command
{
public:
    void addOptions(CLI::App &command) override
    {
        m_choice.addTo(command, HostChoice::Machines::ThisOnly);
    }

    int execute(Messages &messages) override
    {
        const QString path = m_choice.choose(messages);
        if (HostAddress(path).isRemote())
            return messages.fail(
                ExitCode::usage,
                QStringLiteral("--host: expected a host on this machine, found \"%1\"").arg(path));
        const ControlClient::Connection connection = ControlClient::connectedSocket(path);
        const UniqueFd socket(connection.socket);
        if (!socket.isOpen()) {
            messages.say(connection.fault);
            return exitCodeOf(connection.cause);
        }
        const int error = bridgeToStdio(socket.get());
        if (error == 0)
            return ExitCode::fine;
        return messages.fail(ExitCode::outputFailed,
                             QLatin1String("stdout: ") + qt_error_string(error));
    }

private:
    HostChoice m_choice;
};

} // namespace

const CommandRow controlStdioCommand{
    .name = "control-stdio",
    .summary = "Connect stdin and stdout to a running host",
    .help =
        R"(Connects stdin and stdout to the control socket of a running host, and copies bytes until the
host closes the connection or the reader of stdout exits. With --host ssh://..., the other commands
run it on the other machine. docs/control.md describes the protocol.

Examples:
  echo '{"jsonrpc":"2.0","id":1,"method":"hello","params":{"protocols":[1],"client":"me"}}' |
    rekindle control-stdio
  ssh machine rekindle control-stdio --config agents.json
)",
    .exitCodes = {{0, "the connection has ended"},
                  {64, "usage, several hosts, or a host on another machine"},
                  {69, "no running host"},
                  {75, "the host has too many pending connections"},
                  {77, "no permission"}},
    .make = makeCommand<ControlStdioCommand>,
};

} // namespace Rekindle

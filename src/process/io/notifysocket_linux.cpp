// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "notifysocket_p.h"

#include "processlog_p.h"

#include <QUuid>

#include <sys/socket.h>
#include <sys/un.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <utility>

namespace Rekindle {

namespace {
// A limit, so that a flood of messages does not block the event loop.
constexpr int messagesPerActivation = 64;

constexpr std::size_t maxDescriptors = 253; // of one message, in the kernel

// The ancillary data of a message. Descriptors that are not stored are closed; a sender of
// BARRIER=1 waits for this.
struct Attachments
{
    explicit Attachments(msghdr &message)
    {
        for (cmsghdr *each = CMSG_FIRSTHDR(&message); each; each = CMSG_NXTHDR(&message, each)) {
            if (each->cmsg_level != SOL_SOCKET)
                continue;
            if (each->cmsg_type == SCM_CREDENTIALS) {
                std::memcpy(&sender, CMSG_DATA(each), sizeof sender);
            } else if (each->cmsg_type == SCM_RIGHTS) {
                const std::size_t count = (each->cmsg_len - CMSG_LEN(0)) / sizeof(int);
                std::vector<int> numbers(count);
                std::memcpy(numbers.data(), CMSG_DATA(each), count * sizeof(int));
                for (const int number : numbers)
                    descriptors.emplace_back(number);
            }
        }
    }

    ucred sender{};
    std::vector<UniqueFd> descriptors;
};

} // namespace

NotifySocket::NotifySocket(DescriptorStore *store, std::function<void(NotifyMessage)> onMessage)
    : m_store(store)
    , m_onMessage(std::move(onMessage))
{
}

NotifySocket::~NotifySocket()
{
    if (m_watcher)
        m_watcher->remove(m_socket.get());
}

int NotifySocket::open()
{
    UniqueFd socket =
        longLived(UniqueFd(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)));
    const int on = 1;
    if (!socket.isOpen()
        || ::setsockopt(socket.get(), SOL_SOCKET, SO_PASSCRED, &on, sizeof on) != 0)
        return errno;
    const QByteArray name = "rekindle-notify-" + QUuid::createUuid().toByteArray(QUuid::Id128);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    // A leading NUL makes the name abstract; sd_notify writes it as '@'.
    std::memcpy(address.sun_path + 1, name.constData(), static_cast<std::size_t>(name.size()));
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1
                                               + static_cast<std::size_t>(name.size()));
    if (::bind(socket.get(), reinterpret_cast<const sockaddr *>(&address), length) != 0)
        return errno;
    m_entry = "NOTIFY_SOCKET=@" + name;
    m_socket = std::move(socket);
    return 0;
}

int NotifySocket::begin(pid_t group)
{
    m_group = group;
    m_hasWarned = false;
    std::shared_ptr<FdWatcher> watcher = FdWatcher::ofThisThread();
    if (!watcher)
        return errno;
    const int error = watcher->add(m_socket.get(), FdWatcher::Direction::Read, *this);
    if (error == 0)
        m_watcher = std::move(watcher);
    return error;
}

void NotifySocket::fdReady(int)
{
    NotifyMessage received;
    for (int i = 0; i < messagesPerActivation && receive(received); ++i) {
    }
    if (received == NotifyMessage())
        return;
    const auto callback = m_onMessage;
    callback(received);
}

bool NotifySocket::receive(NotifyMessage &received)
{
    std::array<char, 4096> text{};
    iovec part{text.data(), text.size()};
    constexpr std::size_t room =
        CMSG_SPACE(sizeof(ucred)) + CMSG_SPACE(sizeof(int) * maxDescriptors);
    alignas(cmsghdr) std::array<char, room> control{};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    const ssize_t got = ::recvmsg(m_socket.get(), &message, MSG_CMSG_CLOEXEC);
    if (got < 0)
        return errno == EINTR;
    Attachments attached(message);
    if (attached.sender.pid <= 0 || ::getpgid(attached.sender.pid) != m_group)
        return true;
    QByteArrayView lines(text.data(), got);
    if ((message.msg_flags & MSG_TRUNC) != 0) // the last line is incomplete
        lines = lines.first(lines.lastIndexOf('\n') + 1);
    const NotifyMessage read = NotifyMessage::parse(lines);
    if (m_store && read.descriptors.areStored)
        store(read.descriptors, std::move(attached.descriptors),
              (message.msg_flags & MSG_CTRUNC) == 0);
    else if (m_store && read.descriptors.areRemoved)
        m_store->remove(read.descriptors.name);
    received.add(read);
    return true;
}

void NotifySocket::store(const NotifyMessage::Descriptors &request,
                         std::vector<UniqueFd> descriptors, bool isComplete)
{
    const QString fault = isComplete
        ? m_store->add(std::move(descriptors), request.name, request.ignoreHangUp)
        : QStringLiteral("the host has no free descriptor");
    // Once for each start, because an agent can send any number of messages.
    if (!fault.isEmpty() && !std::exchange(m_hasWarned, true))
        qCWarning(processLog).noquote()
            << QStringLiteral("Process %1: descriptors (\"%2\") were not stored: %3")
                   .arg(m_group)
                   .arg(QString::fromLatin1(DescriptorStore::nameFor(request.name)), fault);
}

} // namespace Rekindle

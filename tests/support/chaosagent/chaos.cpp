// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "chaos.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <thread>

namespace Chaos {

namespace {

int exitCodeOnTerm = 0;

int number(const std::string &text) { return std::atoi(text.c_str()); }

// Writes complete lines in one call, so that several processes can share a pipe.
void writeAll(int fd, const std::string &text)
{
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t written = ::write(fd, text.data() + done, text.size() - done);
        if (written <= 0)
            return;
        done += static_cast<std::size_t>(written);
    }
}

void print(const std::string &text) { writeAll(STDOUT_FILENO, text + '\n'); }

void appendNumber(const std::string &file, pid_t pid)
{
    std::ofstream(file, std::ios::app) << std::to_string(pid) + '\n' << std::flush;
}

void exitOnTerm(const std::string &code)
{
    exitCodeOnTerm = number(code);
    std::signal(SIGTERM, [](int) { ::_exit(exitCodeOnTerm); });
}

void raiseSignal(const std::string &text)
{
    std::signal(number(text), SIG_DFL);
    ::raise(number(text));
}

// Returns when the new process has done its work and hangs.
void forkFor(const std::function<void()> &work)
{
    std::array<int, 2> done{};
    if (::pipe2(done.data(), O_CLOEXEC) != 0)
        return;
    if (::fork() == 0) {
        work();
        ::close(done[0]);
        ::close(done[1]);
        hang();
    }
    ::close(done[1]);
    char none = 0;
    while (::read(done[0], &none, 1) < 0 && errno == EINTR) {
    }
    ::close(done[0]);
}

void forkGrandchild(const std::string &kind, const std::string &file)
{
    forkFor([&] {
        if (kind.starts_with("session"))
            ::setsid();
        if (kind.ends_with("ignoring-term"))
            std::signal(SIGTERM, SIG_IGN);
        appendNumber(file, ::getpid());
    });
}

// Each process writes a byte, and holds the FIFO open. Without a reader, SIGPIPE ends the chain.
void forkChain(const std::string &fifo, const std::string &microseconds)
{
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    const int fd = ::open(fifo.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return;
    writeAll(fd, ".");
    if (::fork() != 0) {
        ::close(fd);
        return;
    }
    while (std::chrono::steady_clock::now() < end) {
        ::setsid();
        writeAll(fd, ".");
        std::this_thread::sleep_for(std::chrono::microseconds(number(microseconds)));
        if (::fork() != 0)
            break;
    }
    ::_exit(0);
}

void flood(const std::string &bytes)
{
    const std::string line = std::string(63, 'x') + '\n';
    const long long most = std::atoll(bytes.c_str());
    for (long long done = 0; most == 0 || done < most; done += 64)
        writeAll(STDOUT_FILENO, line);
}

// Also passes a descriptor, unless it is -1.
void notify(const std::string &text, int passed = -1)
{
    const char *path = std::getenv("NOTIFY_SOCKET");
    sockaddr_un address{};
    if (!path || std::strlen(path) >= sizeof address.sun_path)
        return;
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path, std::strlen(path));
    if (address.sun_path[0] == '@')
        address.sun_path[0] = '\0';
    const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    iovec part{const_cast<char *>(text.data()), text.size()};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
    msghdr message{};
    message.msg_name = &address;
    message.msg_namelen =
        static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + std::strlen(path));
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    if (passed >= 0) {
        message.msg_control = control.data();
        message.msg_controllen = control.size();
        cmsghdr *const header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof passed);
        std::memcpy(CMSG_DATA(header), &passed, sizeof passed);
    }
    ::sendmsg(fd, &message, 0);
    ::close(fd);
}

void store(const std::string &file, const std::string &text)
{
    const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    notify(text, fd);
    ::close(fd);
}

int listenOnAnyPort(const std::string &file)
{
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto *const generic = reinterpret_cast<sockaddr *>(&address);
    if (::bind(fd, generic, size) != 0 || ::listen(fd, 1024) != 0
        || ::getsockname(fd, generic, &size) != 0)
        ::_exit(1);
    appendNumber(file, ntohs(address.sin_port));
    notify("FDSTORE=1\nFDNAME=listener", fd);
    return fd;
}

void serve(const std::string &file)
{
    const char *const owner = std::getenv("LISTEN_PID");
    const bool isPassed = owner && owner == std::to_string(::getpid());
    const int listener = isPassed ? 3 : listenOnAnyPort(file);
    notify("READY=1");
    const std::string answer = std::to_string(::getpid());
    for (;;) {
        const int connection = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
        if (connection < 0)
            ::_exit(2);
        ::send(connection, answer.data(), answer.size(), MSG_NOSIGNAL);
        ::close(connection);
    }
}

// Four times as often as $WATCHDOG_USEC requires; 0: forever.
void beat(const std::string &times)
{
    const char *interval = std::getenv("WATCHDOG_USEC");
    const std::chrono::microseconds pause(interval ? std::atoll(interval) / 4 : 1000);
    for (int i = 0; number(times) == 0 || i < number(times); ++i) {
        notify("WATCHDOG=1");
        std::this_thread::sleep_for(pause);
    }
}

void notifyFromOutside(const std::string &text)
{
    forkFor([&] {
        ::setpgid(0, 0);
        notify(text);
    });
}

void printVariable(const std::string &name)
{
    const char *value = std::getenv(name.c_str());
    print(value ? name + '=' + value : name + " unset");
}

void printFolder()
{
    std::array<char, 4096> folder{};
    print(::getcwd(folder.data(), folder.size()) ? folder.data() : "none");
}

void printIds()
{
    print(std::to_string(::getpid()) + ' ' + std::to_string(::getpgrp()) + ' '
          + std::to_string(::getsid(0)) + ' ' + std::to_string(::getppid()));
}

void printSignals()
{
    sigset_t blocked;
    ::sigprocmask(SIG_BLOCK, nullptr, &blocked);
    std::string text = "ignored";
    for (int i = 1; i < NSIG; ++i) {
        struct sigaction action{};
        if (::sigaction(i, nullptr, &action) == 0 && action.sa_handler == SIG_IGN)
            text += ' ' + std::to_string(i);
    }
    text += " blocked";
    for (int i = 1; i < NSIG; ++i) {
        if (::sigismember(&blocked, i) == 1)
            text += ' ' + std::to_string(i);
    }
    print(text);
}

void printDeathSignal()
{
    int signal = 0;
    ::prctl(PR_GET_PDEATHSIG, &signal, 0, 0, 0);
    print(std::to_string(signal));
}

void readToEnd()
{
    for (std::string line; std::getline(std::cin, line);)
        print(line);
}

void crashFirst(const std::string &times, const std::string &file)
{
    int count = 0;
    std::ifstream(file) >> count;
    std::ofstream(file) << count + 1 << std::flush;
    if (count < number(times))
        ::_exit(3);
}

void await(const std::string &file)
{
    while (::access(file.c_str(), F_OK) != 0)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

// Resident, and kept until the exit.
void allocate(const std::string &megabytes)
{
    constexpr std::size_t megabyte = 1'000'000;
    const std::size_t size = static_cast<std::size_t>(number(megabytes)) * megabyte;
    void *const memory = std::malloc(size);
    if (!memory)
        ::_exit(1);
    std::memset(memory, 1, size);
    static void *kept = memory; // otherwise the compiler removes the allocation
    asm volatile("" : "+r"(kept));
}

[[noreturn]] void burn()
{
    for (volatile unsigned turns = 0;;)
        turns = turns + 1;
}

struct Command
{
    std::size_t arguments;
    std::function<void(const Words &)> act;
};

const std::map<std::string, Command> &commands()
{
    static const std::map<std::string, Command> all{
        {"exit", {1, [](const Words &w) { ::_exit(number(w[0])); }}},
        {"signal", {1, [](const Words &w) { raiseSignal(w[0]); }}},
        {"hang", {0, [](const Words &) { hang(); }}},
        {"ignore-term", {0, [](const Words &) { std::signal(SIGTERM, SIG_IGN); }}},
        {"exit-on-term", {1, [](const Words &w) { exitOnTerm(w[0]); }}},
        {"fork", {2, [](const Words &w) { forkGrandchild(w[0], w[1]); }}},
        {"fork-chain", {2, [](const Words &w) { forkChain(w[0], w[1]); }}},
        {"flood", {1, [](const Words &w) { flood(w[0]); }}},
        {"long-line", {1, [](const Words &w) { print(std::string(std::stoul(w[0]), 'y')); }}},
        {"out", {1, [](const Words &w) { print(w[0]); }}},
        {"err", {1, [](const Words &w) { writeAll(STDERR_FILENO, w[0] + '\n'); }}},
        {"partial", {1, [](const Words &w) { writeAll(STDOUT_FILENO, w[0]); }}},
        {"close-out", {0, [](const Words &) { ::close(STDOUT_FILENO), ::close(STDERR_FILENO); }}},
        {"sleep",
         {1,
          [](const Words &w) {
              std::this_thread::sleep_for(std::chrono::milliseconds(number(w[0])));
          }}},
        {"await", {1, [](const Words &w) { await(w[0]); }}},
        {"notify", {1, [](const Words &w) { notify(w[0]); }}},
        {"notify-from-outside", {1, [](const Words &w) { notifyFromOutside(w[0]); }}},
        {"store", {2, [](const Words &w) { store(w[0], w[1]); }}},
        {"serve", {1, [](const Words &w) { serve(w[0]); }}},
        {"beat", {1, [](const Words &w) { beat(w[0]); }}},
        {"env", {1, [](const Words &w) { printVariable(w[0]); }}},
        {"cwd", {0, [](const Words &) { printFolder(); }}},
        {"ids", {0, [](const Words &) { printIds(); }}},
        {"signals", {0, [](const Words &) { printSignals(); }}},
        {"death-signal", {0, [](const Words &) { printDeathSignal(); }}},
        {"append", {1, [](const Words &w) { appendNumber(w[0], ::getpid()); }}},
        {"read-to-end", {0, [](const Words &) { readToEnd(); }}},
        {"crash-first", {2, [](const Words &w) { crashFirst(w[0], w[1]); }}},
        {"allocate", {1, [](const Words &w) { allocate(w[0]); }}},
        {"fork-allocate", {1, [](const Words &w) { forkFor([&w] { allocate(w[0]); }); }}},
        {"burn", {0, [](const Words &) { burn(); }}},
        {"stop-self", {0, [](const Words &) { ::kill(0, SIGTSTP); }}},
    };
    return all;
}

} // namespace

bool carryOut(Words &words)
{
    const auto command = commands().find(words.front());
    words.pop_front();
    if (command == commands().end() || words.size() < command->second.arguments)
        return false;
    const auto end = words.begin() + static_cast<std::ptrdiff_t>(command->second.arguments);
    const Words arguments(words.begin(), end);
    words.erase(words.begin(), end);
    command->second.act(arguments);
    return true;
}

void hang()
{
    for (;;)
        ::pause();
}

} // namespace Chaos

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "launcher_p.h"

#include "descriptorlimit_p.h"

#include <QtGlobal>

#include <fcntl.h>
#include <linux/close_range.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <mutex>

// The child runs in the memory of the host and never returns, which breaks the instrumentation of
// sanitizers.
#if defined(__clang__)
#define REKINDLE_IN_CHILD __attribute__((noinline, disable_sanitizer_instrumentation))
#else
#define REKINDLE_IN_CHILD                                                                          \
    __attribute__((noinline, no_sanitize("address"), no_sanitize("thread"),                        \
                   no_sanitize("undefined")))
#endif

// ThreadSanitizer's clone() treats every clone as a fork. The C library has a second name for it.
#if defined(__SANITIZE_THREAD__)
#define REKINDLE_THREAD_SANITIZER
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define REKINDLE_THREAD_SANITIZER
#endif
#endif
#ifdef REKINDLE_THREAD_SANITIZER
extern "C" int __clone(int (*)(void *), void *, int, void *, ...);
#define REKINDLE_CLONE ::__clone
#else
#define REKINDLE_CLONE ::clone
#endif

namespace Rekindle {

namespace {

// On some 32-bit systems, the original calls have ids of 16 bits.
#ifdef SYS_setgroups32
constexpr long setGroups = SYS_setgroups32;
constexpr long setGroup = SYS_setresgid32;
constexpr long setUser = SYS_setresuid32;
#else
constexpr long setGroups = SYS_setgroups;
constexpr long setGroup = SYS_setresgid;
constexpr long setUser = SYS_setresuid;
#endif

// Not the wrapper of the C library, which the wrappers of sanitizers replace.
#ifdef SYS_clock_gettime64
constexpr long bootClock = SYS_clock_gettime64;
#else
constexpr long bootClock = SYS_clock_gettime;
#endif
struct KernelTime
{
    std::int64_t seconds;
    std::int64_t nanoseconds;
};

constexpr std::size_t stackSize = std::size_t{64} * 1024;

static_assert(sizeof(ResourceLimit) == 2 * sizeof(std::uint64_t), "the layout of prlimit64");

// The layouts of the kernel. Wrappers of the C library hide its internal signals, and wrappers
// of sanitizers write into memory that belongs to the host here.
using KernelSignalSet = std::uint64_t;
struct KernelSignalAction
{
    void *handler;
    unsigned long flags;
    void *restorer;
    KernelSignalSet mask;
};

struct Child
{
    const LaunchRequest &request;
    pid_t parent;
    volatile LaunchResult::Step step;
    volatile int error;
    volatile std::size_t limit;
    int copy; ///< if the child has a copy of this, the pipe to which it writes its failure, or -1
};

REKINDLE_IN_CHILD void fail(Child &child, LaunchResult::Step step)
{
    child.error = errno;
    child.step = step;
    if (child.copy >= 0)
        ::syscall(SYS_write, child.copy, &child, sizeof child);
    ::syscall(SYS_exit_group, 127);
}

REKINDLE_IN_CHILD void resetSignals()
{
    // No other process has the id of this one yet, so it gets no real-time signal.
    constexpr int lastSignal = 31;
    for (int number = 1; number <= lastSignal; ++number) {
        KernelSignalAction action{};
        if (::syscall(SYS_rt_sigaction, number, nullptr, &action, sizeof(KernelSignalSet)) == 0
            && action.handler != nullptr) {
            const KernelSignalAction defaults{};
            ::syscall(SYS_rt_sigaction, number, &defaults, nullptr, sizeof(KernelSignalSet));
        }
    }
}

REKINDLE_IN_CHILD void joinGroup(const LaunchRequest &request)
{
    if (request.group == LaunchRequest::Group::OwnSession) {
        ::syscall(SYS_setsid);
        return;
    }
    ::syscall(SYS_setpgid, 0, 0);
    if (request.group == LaunchRequest::Group::Foreground) {
        // SIGTTOU is blocked, as all signals are.
        const auto self = static_cast<pid_t>(::syscall(SYS_getpid));
        ::syscall(SYS_ioctl, request.terminal, TIOCSPGRP, &self);
    }
}

REKINDLE_IN_CHILD void restoreDescriptorLimit()
{
    const ResourceLimit *original = __atomic_load_n(&originalDescriptorLimit, __ATOMIC_ACQUIRE);
    if (original)
        ::syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, original, nullptr);
}

// Before the identity, because only a privileged process can raise limits.
REKINDLE_IN_CHILD void applyLimits(Child &child)
{
    restoreDescriptorLimit();
    const LaunchRequest &request = child.request;
    for (std::size_t i = 0; i < request.limitCount; ++i) {
        const ChildLimit &limit = request.limits[i];
        child.limit = i;
        if (::syscall(SYS_prlimit64, 0, limit.resource, &limit.values, nullptr) != 0)
            fail(child, LaunchResult::Step::Limit);
    }
    if (request.nice != nullptr && ::syscall(SYS_setpriority, PRIO_PROCESS, 0, *request.nice) != 0)
        fail(child, LaunchResult::Step::Nice);
    if (request.umask >= 0)
        ::syscall(SYS_umask, request.umask);
}

// The wrappers of the C library would change all threads of the host.
REKINDLE_IN_CHILD void applyIdentity(Child &child)
{
    const ChildIdentity *identity = child.request.identity;
    if (identity == nullptr)
        return;
    if ((identity->groups != nullptr
         && ::syscall(setGroups, identity->groupCount, identity->groups) != 0)
        || ::syscall(setGroup, identity->group, identity->group, identity->group) != 0
        || ::syscall(setUser, identity->user, identity->user, identity->user) != 0)
        fail(child, LaunchResult::Step::Identity);
}

// The child shares the descriptor table of the host until here. It gets a copy, as small as
// possible, before it changes any descriptor.
REKINDLE_IN_CHILD bool separateDescriptors(const Child &child)
{
    const LaunchRequest &request = child.request;
    int highest = child.copy > 2 ? child.copy : 2;
    for (const int source : request.standardFds)
        highest = source > highest ? source : highest;
    for (std::size_t i = 0; i < request.passedCount; ++i)
        highest = request.passedFds[i] > highest ? request.passedFds[i] : highest;
    if (::syscall(SYS_close_range, highest + 1, ~0U, CLOSE_RANGE_UNSHARE) == 0)
        return true;
    // Before Linux 5.9, the program inherits descriptors that are not close-on-exec.
    return errno == ENOSYS && ::syscall(SYS_unshare, CLONE_FILES) == 0;
}

// After the standard descriptors, whose sources may have the numbers of these.
REKINDLE_IN_CHILD void passDescriptors(Child &child)
{
    const LaunchRequest &request = child.request;
    for (std::size_t i = 0; i < request.passedCount; ++i) {
        if (::syscall(SYS_dup3, request.passedFds[i], 3 + static_cast<int>(i), 0) < 0)
            fail(child, LaunchResult::Step::Resources);
    }
    auto rest = 3 + static_cast<unsigned>(request.passedCount);
    if (child.copy >= 0 && ::syscall(SYS_dup3, child.copy, rest, O_CLOEXEC) >= 0)
        child.copy = static_cast<int>(rest++);
    if (!request.inheritsDescriptors)
        ::syscall(SYS_close_range, rest, ~0U, 0);
}

REKINDLE_IN_CHILD void writeProcessId(char *text)
{
    if (text == nullptr)
        return;
    const auto self = static_cast<unsigned>(::syscall(SYS_getpid));
    int length = 1;
    for (unsigned rest = self / 10; rest > 0; rest /= 10)
        ++length;
    text[length] = '\0';
    for (unsigned rest = self; length > 0; rest /= 10)
        text[--length] = static_cast<char>('0' + rest % 10);
}

// The guard reads the clock first and the groups then. With the order of the writes and reads here,
// one of the two notices the other.
REKINDLE_IN_CHILD void registerGroup(Child &child)
{
    const LaunchRequest &request = child.request;
    if (request.groupSlot) {
        const auto self = static_cast<std::int32_t>(::syscall(SYS_getpid));
        __atomic_store_n(reinterpret_cast<std::int32_t *>(request.groupSlot), self,
                         __ATOMIC_SEQ_CST);
    }
    if (!request.killTime)
        return;
    const std::int64_t killTime =
        __atomic_load_n(reinterpret_cast<const std::int64_t *>(request.killTime), __ATOMIC_SEQ_CST);
    KernelTime now{};
    constexpr std::int64_t nanoseconds = 1'000'000'000;
    if (killTime != 0
        && (::syscall(bootClock, CLOCK_BOOTTIME, &now) != 0
            || now.seconds * nanoseconds + now.nanoseconds >= killTime))
        fail(child, LaunchResult::Step::KillTime);
}

REKINDLE_IN_CHILD int childMain(void *argument)
{
    auto &child = *static_cast<Child *>(argument);
    const LaunchRequest &request = child.request;
    // Handlers of the host must not run here when the signals are unblocked.
    resetSignals();
    joinGroup(request);
    registerGroup(child);
    // Before the descriptor is closed, and before the identity, which may not be permitted.
    if (request.cgroup >= 0 && ::syscall(SYS_write, request.cgroup, "0", 1) != 1)
        fail(child, LaunchResult::Step::Cgroup);
    if (!request.inheritsDescriptors && !separateDescriptors(child))
        fail(child, LaunchResult::Step::Resources);
    for (int number = 0; number < 3; ++number) {
        const int source = request.standardFds[static_cast<unsigned>(number)];
        if (source >= 0 && ::syscall(SYS_dup3, source, number, 0) < 0)
            fail(child, LaunchResult::Step::Resources);
    }
    passDescriptors(child);
    writeProcessId(request.processIdText);
    applyLimits(child);
    applyIdentity(child);
    if (request.endsWithThread) {
        // After the identity, because a change of the user clears it.
        ::syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
        if (::syscall(SYS_getppid) != child.parent)
            ::syscall(SYS_exit_group, 127);
    }
    // As the user of the child, which may not be permitted to enter it.
    if (request.workingDirectory && ::syscall(SYS_chdir, request.workingDirectory) != 0)
        fail(child, LaunchResult::Step::Directory);
    const KernelSignalSet none = 0;
    ::syscall(SYS_rt_sigprocmask, SIG_SETMASK, &none, nullptr, sizeof none);
    ::syscall(SYS_execve, request.program, request.arguments, request.environment);
    fail(child, LaunchResult::Step::Execute);
    return 127;
}

// Not initialized, so that only the pages that a launch touches become resident.
char *stackOfThisThread()
{
    static thread_local const std::unique_ptr<char[]> stack(new char[stackSize]);
    char *const top = stack.get() + stackSize;
    return top - reinterpret_cast<std::uintptr_t>(top) % 16;
}

// Valgrind supports clone() only as fork(): the child has a copy of the memory, and reports a
// failure through a pipe. Valgrind is recognized by the library that it loads into each program.
bool isOnValgrind()
{
    const char *const preloaded = std::getenv("LD_PRELOAD"); // NOLINT(concurrency-mt-unsafe)
    return preloaded != nullptr && std::strstr(preloaded, "/vgpreload_") != nullptr;
}

pid_t forkCopy(Child &child, int *pidFd)
{
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        return -1;
    const UniqueFd reader(ends[0]);
    // Above the numbers of the descriptors that the program gets.
    UniqueFd writer(::fcntl(ends[1], F_DUPFD_CLOEXEC, 100));
    ::close(ends[1]);
    child.copy = writer.get();
    const pid_t pid = ::fork();
    if (pid == 0)
        childMain(&child);
    writer.reset();
    if (pid < 0)
        return pid;
    *pidFd = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
    if (*pidFd < 0) { // before Valgrind 3.24
        const int error = errno;
        ::kill(pid, SIGKILL);
        ::waitpid(pid, nullptr, 0);
        errno = error;
        return -1;
    }
    while (::read(reader.get(), static_cast<void *>(&child), sizeof child) < 0 && errno == EINTR) {
    }
    return pid;
}

// A child that changes its user makes the memory that it shares with the host undumpable. While it
// does, this also protects the host from a debugger of that user. Afterwards, the host is dumpable
// again. One such launch at a time, so that none ends the protection of another.
class DumpableHost
{
public:
    explicit DumpableHost(bool changes)
        : m_lock(mutex(), std::defer_lock)
    {
        if (!changes)
            return;
        m_lock.lock();
        m_wasDumpable = ::prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 1;
    }
    ~DumpableHost()
    {
        if (m_wasDumpable)
            ::prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
    }
    Q_DISABLE_COPY_MOVE(DumpableHost)

private:
    static std::mutex &mutex()
    {
        static std::mutex instance;
        return instance;
    }

    std::unique_lock<std::mutex> m_lock;
    bool m_wasDumpable = false;
};

} // namespace

LaunchResult launch(const LaunchRequest &request)
{
    const DumpableHost dumpable(request.identity != nullptr);
    Child child{request, ::getpid(), LaunchResult::Step::None, 0, 0, -1};
    char *stack = stackOfThisThread();
    const KernelSignalSet all = ~KernelSignalSet{0};
    KernelSignalSet before = 0;
    ::syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, sizeof all);
    int pidFd = -1;
    const int descriptors = request.inheritsDescriptors ? 0 : CLONE_FILES;
    const int flags = CLONE_VM | CLONE_VFORK | CLONE_PIDFD | descriptors | SIGCHLD;
    static const bool isCopy = isOnValgrind();
    const pid_t pid =
        isCopy ? forkCopy(child, &pidFd) : REKINDLE_CLONE(childMain, stack, flags, &child, &pidFd);
    const int cloneError = errno;
    ::syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before, nullptr, sizeof before);

    LaunchResult result;
    if (pid < 0) {
        result.failedStep = LaunchResult::Step::Resources;
        result.error = cloneError;
        return result;
    }
    result.pidFd = longLived(UniqueFd(pidFd));
    if (child.step != LaunchResult::Step::None) {
        result.failedStep = child.step;
        result.error = child.error;
        result.failedLimit = child.limit;
        // The child is exiting, so this returns immediately.
        siginfo_t info;
        while (::waitid(P_PIDFD, static_cast<id_t>(result.pidFd.get()), &info, WEXITED) != 0
               && errno == EINTR) {
        }
        result.pidFd.reset();
        return result;
    }
    result.pid = pid;
    return result;
}

} // namespace Rekindle

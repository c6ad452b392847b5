// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "plugin/internal/plugincrash.h"

#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>

namespace Rekindle::PluginCrash {

namespace {

struct Crash
{
    int signal;
    const char *text;
};
constexpr std::array crashes = {
    Crash{SIGSEGV, " crashed: SIGSEGV\n"}, Crash{SIGBUS, " crashed: SIGBUS\n"},
    Crash{SIGFPE, " crashed: SIGFPE\n"}, Crash{SIGILL, " crashed: SIGILL\n"},
    Crash{SIGABRT, " crashed: SIGABRT\n"}};

// The signal handler reads it. With this model, the first access in a thread allocates no memory.
[[gnu::tls_model("initial-exec")]] thread_local const char *currentFile = nullptr;

void write(const char *text)
{
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text, std::strlen(text));
}

// Uses only async-signal-safe functions. The raised signal is delivered when the handler returns;
// the default action follows.
void report(int number)
{
    if (currentFile != nullptr) {
        write("rekindle: plug-in ");
        write(currentFile);
        for (const Crash &crash : crashes) {
            if (crash.signal == number)
                write(crash.text);
        }
    }
    static_cast<void>(::raise(number));
}

} // namespace

void markThread(const char *file) { currentFile = file; }

void reportOnStderr()
{
    for (const Crash &crash : crashes) {
        struct sigaction action = {};
        if (::sigaction(crash.signal, nullptr, &action) != 0 || action.sa_handler != SIG_DFL)
            continue;
        action.sa_handler = report;
        action.sa_flags = static_cast<int>(SA_RESETHAND);
        ::sigaction(crash.signal, &action, nullptr);
    }
}

} // namespace Rekindle::PluginCrash

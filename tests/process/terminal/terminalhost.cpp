// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// A host for terminalsessiontest: `terminalhost PROGRAM ARGUMENT...` runs in the foreground of its
// terminal and writes the log of the agent to stdout.

#include <Rekindle/ProcessAgent>
#include <Rekindle/TimerScheduler>

#include <QCoreApplication>
#include <QSocketNotifier>

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>

using namespace Rekindle;

namespace {
std::array<int, 2> wakeUp{};
}

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    const QStringList words = QCoreApplication::arguments().mid(1);
    ProcessDefinition definition;
    definition.program = words.value(0);
    definition.arguments = words.mid(1);
    definition.sharesTerminal = true;
    definition.standardInput = ProcessDefinition::StandardInput::Inherit;
    definition.standardOutput.kind = OutputTarget::Kind::Inherit;
    definition.standardError.kind = OutputTarget::Kind::Inherit;
    definition.readiness.kind = Readiness::Kind::Now;
    TimerScheduler scheduler;
    ProcessAgent agent(definition, scheduler);

    if (::pipe2(wakeUp.data(), O_CLOEXEC | O_NONBLOCK) != 0)
        return 1;
    std::signal(SIGCHLD, [](int) { [[maybe_unused]] auto n = ::write(wakeUp[1], "x", 1); });
    std::signal(SIGINT, [](int) {
        [[maybe_unused]] auto n = ::write(STDOUT_FILENO, "host interrupted\n", 17);
    });
    QSocketNotifier notifier(wakeUp[0], QSocketNotifier::Read);
    QObject::connect(&notifier, &QSocketNotifier::activated, &agent, [&agent] {
        std::array<char, 16> bytes;
        [[maybe_unused]] auto n = ::read(wakeUp[0], bytes.data(), bytes.size());
        agent.followJobControl();
    });
    const auto quit = [&agent] {
        const bool foreground = ::tcgetpgrp(STDIN_FILENO) == ::getpgrp();
        std::printf("exited %d, host in the %s\n", agent.lastExitStatus().value_or(-1),
                    foreground ? "foreground" : "background");
        std::fflush(stdout);
        QCoreApplication::quit();
    };
    QObject::connect(&agent, &Agent::stopped, &application, quit);
    QObject::connect(&agent, &Agent::failed, &application, quit);
    agent.start();
    return QCoreApplication::exec();
}

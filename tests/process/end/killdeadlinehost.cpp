// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// A host for tests of the kill deadline: `killdeadlinehost BOUND FREE` runs two chaos agents, of
// which the first is bound. Each has a grandchild that has left its session. All append their
// process ids to the file of the agent. Then it executes the lines of stdin: `set MS` sets the
// deadline from now on and prints it in nanoseconds, `clear` clears it.

#include "process/agentlog.h"

#include <rekindle/lifecycle/clock.h>
#include <rekindle/process/killdeadline.h>

#include <QCoreApplication>
#include <QSocketNotifier>

#include <unistd.h>

#include <array>
#include <cstdio>

using namespace Rekindle;

namespace {

void execute(const QByteArray &line)
{
    if (line.startsWith("set ")) {
        const Instant time =
            SystemClock().bootNow() + std::chrono::milliseconds(line.mid(4).toInt());
        if (!KillDeadline::set(time))
            ::_exit(1);
        std::printf("%lld\n", static_cast<long long>(time.time_since_epoch().count()));
    } else if (line == "clear") {
        KillDeadline::clear();
    }
}

void executeInput()
{
    static QByteArray lines;
    std::array<char, 4096> block{};
    const ssize_t got = ::read(STDIN_FILENO, block.data(), block.size());
    if (got <= 0)
        ::_exit(0);
    lines.append(block.data(), got);
    for (qsizetype end = 0; (end = lines.indexOf('\n')) >= 0; lines.remove(0, end + 1))
        execute(lines.left(end));
    std::fflush(stdout);
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    const char *const commands = "ignore-term append %1 fork session-ignoring-term %1 out up";
    AgentLog bound(chaos(commands, arguments.value(1)));
    AgentLog free(chaos(commands, arguments.value(2)));
    if (!bound.agent.setKillDeadlineBound(true))
        return 1;
    bound.agent.start();
    free.agent.start();
    if (!free.waitFor(QStringLiteral("out up")))
        return 1;
    if (!bound.agent.isAlive())
        std::printf("%s\n", qPrintable(bound.failure.detail.message));
    std::fflush(stdout);
    const QSocketNotifier input(STDIN_FILENO, QSocketNotifier::Read);
    QObject::connect(&input, &QSocketNotifier::activated, &application, &executeInput);
    return QCoreApplication::exec();
}

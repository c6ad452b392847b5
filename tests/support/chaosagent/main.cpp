// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// chaosagent COMMAND...: a program that misbehaves on demand. Executes its commands in order.
// Unless a command ends it, it keeps running.

#include "chaos.h"

#include <cstdio>
#include <string>

namespace {

constexpr char usage[] =
    "usage: chaosagent COMMAND...\n"
    "  exit CODE                 exits with this code\n"
    "  signal NUMBER             is killed by this signal\n"
    "  hang                      keeps running and does nothing\n"
    "  ignore-term               ignores SIGTERM\n"
    "  exit-on-term CODE         exits with this code on SIGTERM\n"
    "  fork KIND FILE            starts a grandchild that holds the pipes, keeps running and\n"
    "                            appends its number to FILE; KIND: group, session, and\n"
    "                            group-ignoring-term, session-ignoring-term\n"
    "  fork-chain FIFO US        starts a process that forks after this time and exits, and so on\n"
    "                            for a minute, each in a new session; each writes a byte to FIFO\n"
    "  flood BYTES               writes this much to stdout in lines of 64 bytes; 0: forever\n"
    "  long-line BYTES           writes one line of this length to stdout\n"
    "  out TEXT, err TEXT        writes a line to stdout, stderr\n"
    "  partial TEXT              writes to stdout without a line feed\n"
    "  close-out                 closes stdout and stderr\n"
    "  sleep MS                  waits\n"
    "  await FILE                waits until FILE exists\n"
    "  notify TEXT               sends TEXT to $NOTIFY_SOCKET\n"
    "  notify-from-outside TEXT  the same, from a process of another group\n"
    "  store FILE TEXT           opens FILE and sends it with TEXT to $NOTIFY_SOCKET\n"
    "  serve FILE                answers each connection to a local TCP port, whose number it "
    "writes\n"
    "                            to FILE, with its own number; passes the socket to its next "
    "start\n"
    "  beat N                    sends WATCHDOG=1 N times, a quarter of $WATCHDOG_USEC apart\n"
    "  env NAME                  writes NAME=VALUE or NAME unset to stdout\n"
    "  cwd                       writes the working directory to stdout\n"
    "  ids                       writes pid, group, session and parent to stdout\n"
    "  signals                   writes the ignored and the blocked signals to stdout\n"
    "  append FILE               appends its number to FILE\n"
    "  read-to-end               reads stdin until its end and echoes the lines\n"
    "  crash-first N FILE        exits with code 3 the first N times, counted in FILE\n"
    "  allocate MB               occupies this much memory\n"
    "  fork-allocate MB          the same, in a grandchild that keeps running\n"
    "  burn                      uses a CPU core forever\n"
    "  stop-self                 stops like on Ctrl-Z\n";

} // namespace

int main(int argc, char **argv)
{
    if (argc < 2) {
        std::fputs(usage, stderr);
        return 64;
    }
    Chaos::Words words(argv + 1, argv + argc);
    while (!words.empty()) {
        if (!Chaos::carryOut(words)) {
            std::fputs(usage, stderr);
            return 64;
        }
    }
    Chaos::hang();
}

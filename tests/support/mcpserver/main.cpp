// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// mcpserver [OPTION...]: a strict MCP server on stdio that can misbehave. It supports legacy and
// modern protocol revisions, and rejects requests before the handshake and repeated ids.

#include "server.h"

#include <csignal>
#include <cstdio>
#include <string>
#include <vector>

namespace {

constexpr char usage[] =
    "usage: mcpserver [OPTION...]\n"
    "  --revision legacy|modern|both  supported protocol revisions (both)\n"
    "  --version DATE                 newest supported legacy revision (2025-11-25)\n"
    "  --log FILE                     append every received line to FILE\n"
    "  --err TEXT                     write a line to stderr at the start\n"
    "  --with TOOL, --without TOOL    add a tool that answers its name; or remove a tool\n"
    "  --page-size N                  send tools/list in pages of N tools\n"
    "  --no-list-changed              do not advertise tools.listChanged\n"
    "  --start-delay MS               wait before reading\n"
    "  --initialize-error             answer initialize with an error\n"
    "  --exit-in-handshake CODE       exit at the first request\n"
    "  --exit-on-early                exit at any message before initialize\n"
    "  --silent METHOD                do not answer METHOD\n"
    "  --fail-once METHOD             answer the first request of METHOD with an error\n"
    "  --exit-on METHOD               exit with 3 at a request of METHOD\n"
    "  --noise                        write a line that is not a message before each response\n"
    "  --flood BYTES                  write noise of this size at the start\n"
    "  --close-out                    close stdout after the handshake and keep running\n"
    "  --ignore-eof, --ignore-term    keep running\n"
    "  --starts FILE                  count the starts in FILE\n"
    "  --from N, --until N            apply the following options only to these starts\n";

} // namespace

int main(int argc, char **argv)
{
    Options options;
    if (!options.read(std::vector<std::string>(argv + 1, argv + argc))) {
        std::fputs(usage, stderr);
        return 64;
    }
    if (options.ignoresTerm)
        std::signal(SIGTERM, SIG_IGN);
    return Server(std::move(options)).run();
}

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// mcpserver [OPTION...]: a strict MCP server on stdio, of both eras, that misbehaves on demand. It
// refuses everything before the handshake, and an id that was used before.

#include "server.h"

#include <csignal>
#include <cstdio>
#include <string>
#include <vector>

namespace {

constexpr char usage[] =
    "usage: mcpserver [OPTION...]\n"
    "  --era legacy|modern|both    which clients it serves (both)\n"
    "  --version DATE              newest version of the legacy era that it knows (2025-11-25)\n"
    "  --log FILE                  appends every line that it gets to FILE\n"
    "  --err TEXT                  writes a line to stderr at the start\n"
    "  --with TOOL, --without TOOL one tool more, which says its name; or less\n"
    "  --page-size N               tools/list in pages of N\n"
    "  --no-list-changed           does not advertise tools.listChanged\n"
    "  --start-delay MS            reads nothing for that long\n"
    "  --initialize-error          answers initialize with an error\n"
    "  --exit-in-handshake CODE    ends when the first request has come\n"
    "  --exit-on-early             ends on anything but initialize before the handshake\n"
    "  --silent METHOD             never answers that method\n"
    "  --exit-on METHOD            ends with 3 when that method comes\n"
    "  --noise                     writes a line that is no message before each answer\n"
    "  --flood BYTES               writes that much noise at the start\n"
    "  --close-out                 closes stdout after the handshake, and lives on\n"
    "  --ignore-eof, --ignore-term lives on\n"
    "  --starts FILE               counts its starts in FILE\n"
    "  --from N, --until N         what follows holds for such starts alone\n";

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

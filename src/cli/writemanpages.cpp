// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// Writes the man pages of the command into a folder: writemanpages FOLDER. It is run by the build,
// so that the command itself needs no option for it.

#include "cli/commands/commandline_p.h"

#include <fstream>
#include <iostream>

namespace {

using namespace Rekindle;

bool write(const CommandEntry &command, const std::string &folder)
{
    std::ofstream file(folder + '/' + manPageName(command) + ".1");
    file << manPage(command) << std::flush;
    bool isWritten = file.good();
    for (const CommandEntry &below : command.commands)
        isWritten = write(below, folder) && isWritten;
    return isWritten;
}

} // namespace

int main(int argc, char **argv)
{
    if (argc == 2 && write(CommandLine(1, argv).tree(), argv[1]))
        return 0;
    std::cerr << "usage: writemanpages FOLDER; or FOLDER cannot be written\n";
    return 1;
}

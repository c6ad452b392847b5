// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// The lower bound: restarts N copies of a child with only vfork, exec and a blocking wait.
//
//   bareloop N CHILD [ARGUMENT...]

#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

namespace {
bool start(char **argv)
{
    const pid_t pid = vfork();
    if (pid == 0) {
        execv(argv[0], argv);
        _exit(127);
    }
    return pid > 0;
}
} // namespace

int main(int argc, char **argv)
{
    if (argc < 3)
        return 64;
    for (int left = std::atoi(argv[1]); left > 0; --left) {
        if (!start(argv + 2))
            return 1;
    }
    while (waitpid(-1, nullptr, 0) > 0) {
        if (!start(argv + 2))
            return 1;
    }
    return 0;
}

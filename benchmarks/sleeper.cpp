// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// The supervised child: reads the clock, writes (pid, monotonic nanoseconds) to the FIFO named by
// its argument, and sleeps. Linked statically.

#include <cstdint>
#include <ctime>
#include <fcntl.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (argc < 2)
        return 64;
    const int fifo = open(argv[1], O_WRONLY | O_CLOEXEC);
    const std::int64_t record[2] = {getpid(),
                                    std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec};
    if (fifo < 0 || write(fifo, record, sizeof record) != sizeof record)
        return 2;
    close(fifo);
    for (;;)
        pause();
}

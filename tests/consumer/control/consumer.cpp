// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
//
// A host of processes with a control socket. It loads no library that only other components need.

#include <Rekindle/AgentSupervisor>
#include <Rekindle/ControlServer>
#include <Rekindle/ProcessAgent>
#include <Rekindle/TimerScheduler>

#include <QCoreApplication>
#include <QTemporaryDir>

#include <link.h>

#include <cstdio>
#include <cstring>
#include <memory>

namespace {

// Counts the unwanted libraries, and prints their names.
int countUnwanted(dl_phdr_info *object, std::size_t, void *count)
{
    for (const char *unwanted : {"libQt6Network", "libQt6Sql", "libsodium", "libprometheus"}) {
        if (std::strstr(object->dlpi_name, unwanted) != nullptr) {
            std::printf("unwanted: %s\n", object->dlpi_name);
            ++*static_cast<int *>(count);
        }
    }
    return 0;
}

} // namespace

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const QTemporaryDir folder;
    Rekindle::TimerScheduler scheduler;
    Rekindle::AgentSupervisor supervisor(scheduler);
    Rekindle::ProcessDefinition sleeper;
    sleeper.program = QStringLiteral("sleep");
    const auto added = supervisor.add(QStringLiteral("sleeper"),
                                      std::make_unique<Rekindle::ProcessAgent>(sleeper, scheduler));
    Rekindle::ControlServer control(
        supervisor, {.socketName = QStringLiteral("consumer"), .folder = folder.path()});
    const bool works = added && control.listen().isEmpty();
    int unwanted = 0;
    ::dl_iterate_phdr(countUnwanted, &unwanted);
    std::printf("control: %s\n", works && unwanted == 0 ? "yes" : "NO");
    return works && unwanted == 0 ? 0 : 1;
}

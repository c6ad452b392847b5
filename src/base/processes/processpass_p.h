// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "processstat_p.h"

#include <dirent.h>

#include <memory>

namespace Rekindle {

/// Reads all processes of /proc once, in slices that do not block an event loop.
class ProcessPass
{
public:
    /// Starts from the first process. Returns false if /proc cannot be read.
    bool begin();
    void cancel() { m_folder.reset(); }
    [[nodiscard]] bool isRunning() const { return m_folder != nullptr; }

    /// Calls `visit(const ProcessStat &)` for the next processes, except zombies, which takes some
    /// milliseconds. Returns false after the last one, which ends the pass.
    template<typename Visit>
    bool readSlice(Visit visit)
    {
        for (int i = 0; i < entriesPerSlice; ++i) {
            const dirent *const entry = ::readdir(m_folder.get());
            if (!entry) {
                cancel();
                return false;
            }
            if (const std::optional<ProcessStat> stat = statOf(entry->d_name))
                visit(*stat);
        }
        return true;
    }

private:
    static constexpr int entriesPerSlice = 200;

    /// Returns nothing for a zombie and for an entry that is not a process.
    static std::optional<ProcessStat> statOf(const char *name);

    struct CloseFolder
    {
        void operator()(DIR *folder) const { ::closedir(folder); }
    };
    std::unique_ptr<DIR, CloseFolder> m_folder;
};

} // namespace Rekindle

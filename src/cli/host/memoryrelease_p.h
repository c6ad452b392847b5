// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/restartpolicyevaluator.h>
#include <rekindle/lifecycle/scheduler.h>

#include <QObject>

namespace Rekindle {

/// Returns memory to the system five seconds after its construction, after agents change their
/// state or become stable, and after releaseSoon(): freed heap, and all pages of code and
/// constants. Most of these pages are needed only while the program starts. The others are mapped
/// again from the page cache when they are used, so the next restart takes about 2 ms longer.
/// Software breakpoints of a debugger are lost.
class MemoryRelease : public QObject
{
public:
    MemoryRelease(const RestartPolicyEvaluator &evaluator, Scheduler &scheduler);

    /// False in builds with a sanitizer, whose own pages must stay.
    [[nodiscard]] static bool isAvailable();

    /// Call it after other work that needed memory, for example for clients.
    void releaseSoon();

    /// Returns only freed heap, in some ten microseconds.
    static void releaseHeap();

private:
    Deadline m_due;
};

} // namespace Rekindle

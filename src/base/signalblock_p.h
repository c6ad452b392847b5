// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QtGlobal>

#include <csignal>
#include <functional>
#include <thread>

namespace Rekindle {

/// Blocks all signals of the calling thread while it exists, except signals of a fault in the
/// thread's own code, which must still end the process with a core dump. Threads that start in the
/// meantime keep signals blocked: signals are delivered to the threads of the host, which may block
/// them there after this thread has started.
class SignalBlock
{
public:
    SignalBlock();
    ~SignalBlock();
    Q_DISABLE_COPY_MOVE(SignalBlock)

private:
    sigset_t m_before{};
};

/// Starts a thread with signals blocked (see SignalBlock). Throws std::system_error if the system
/// has no room for another thread.
[[nodiscard]] std::thread startThreadWithBlockedSignals(std::function<void()> work);

} // namespace Rekindle

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QtGlobal>

#include <csignal>

namespace Rekindle {

/// Blocks signals in the calling thread until it is destroyed. Threads that are started in the
/// meantime inherit the mask for good: the signals of the process belong to the host's threads.
class SignalBlock
{
public:
    SignalBlock();
    ~SignalBlock();
    Q_DISABLE_COPY_MOVE(SignalBlock)

private:
    sigset_t m_before{};
};

} // namespace Rekindle

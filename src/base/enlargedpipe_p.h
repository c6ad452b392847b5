// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QtGlobal>

namespace Rekindle {

/// Enlarges one pipe and counts it until the owner of the pipe is destroyed. The number of enlarged
/// pipes is limited, because they use the quota of the user, and without quota each new pipe of the
/// user is small. Different objects can be used by different threads.
class EnlargedPipe
{
public:
    /// The limit of the process.
    static constexpr int most = 16;

    EnlargedPipe() = default;
    ~EnlargedPipe() { reset(); }
    Q_DISABLE_COPY_MOVE(EnlargedPipe)

    /// Enlarges a pipe that is full to 1 MiB, so that a large message passes with few switches
    /// between processes. Returns false if nothing has changed: the pipe is already large, a limit
    /// is reached, or it is not a pipe.
    bool enlarge(int fd);

    /// Stops counting the pipe. Call it when the pipe is closed.
    void reset();

private:
    bool m_isCounted = false;
};

} // namespace Rekindle

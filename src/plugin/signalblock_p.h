// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QtGlobal>

#include <csignal>

namespace Rekindle {

/// While it lives, the calling thread takes no signals, and neither do threads that it makes, for
/// good: signals are the host's business, not that of a thread for plug-ins.
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

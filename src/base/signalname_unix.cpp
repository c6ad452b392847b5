// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "signalname_p.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>

namespace Rekindle {

QString signalName(int number)
{
    if (const char *name = ::sigabbrev_np(number))
        return QLatin1String("SIG") + QLatin1String(name);
    return QStringLiteral("signal %1").arg(number);
}

std::optional<int> signalNumber(const QString &name)
{
    for (int number = 1; number < NSIG; ++number) {
        if (::sigabbrev_np(number) != nullptr && signalName(number) == name)
            return number;
    }
    return std::nullopt;
}

bool isStopSignal(int number)
{
    // By default, most of these suspend a process, continue it, or have no effect. SIGWINCH is not
    // among them, because some servers handle it as a request to exit.
    constexpr std::array others{SIGKILL, SIGSTOP, SIGCHLD, SIGCONT,
                                SIGTSTP, SIGTTIN, SIGTTOU, SIGURG};
    return number > 0 && ::sigabbrev_np(number) != nullptr
        && std::ranges::find(others, number) == others.end();
}

} // namespace Rekindle

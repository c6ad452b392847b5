// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "signalname_p.h"

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
    return ::sigabbrev_np(number) != nullptr && number != 0 && number != SIGKILL
        && number != SIGSTOP;
}

} // namespace Rekindle

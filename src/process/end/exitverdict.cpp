// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/process/exitverdict.h>

#include "base/signalname_p.h"

namespace Rekindle {

ExitVerdict ExitVerdict::of(ExitStatus status, bool stopRequested, const ExitCodeTable &table)
{
    ExitVerdict verdict;
    if (stopRequested)
        return verdict;
    Failure &failure = verdict.failure;
    switch (status.kind) {
    case ExitStatus::Kind::Exited:
        if (status.number == ExitCodeTable::clean)
            return verdict;
        if (table.isRestartRequest(status.number)) {
            verdict.kind = Kind::RestartRequested;
            return verdict;
        }
        table.meaning(status.number).addTo(failure);
        failure.detail.exitCode = status.number;
        failure.detail.message =
            QStringLiteral("Process exited with exit code %1").arg(status.number);
        break;
    case ExitStatus::Kind::Killed:
        failure.reason = FailureReason::ProcessCrash;
        failure.detail.signal = status.number;
        failure.detail.message =
            QStringLiteral("Process was killed by %1").arg(signalName(status.number));
        break;
    case ExitStatus::Kind::Unknown:
        failure.reason = FailureReason::Unknown;
        failure.detail.message = QStringLiteral(
            "Process exited with an unknown status: this program ignores SIGCHLD, or "
            "another part of it waits for all children");
        break;
    }
    verdict.kind = Kind::Failed;
    return verdict;
}

} // namespace Rekindle

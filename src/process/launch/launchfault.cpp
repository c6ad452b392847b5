// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "launchfault_p.h"

#include "base/writtenfile_p.h"

#include <cerrno>

namespace Rekindle {

namespace {

// Lack of resources, which may be temporary.
bool isShortage(const LaunchFault &fault)
{
    const int error = fault.error;
    // The limit of watched descriptors of a user. For a file, ENOSPC means a full disk.
    if (error == ENOSPC)
        return fault.step == LaunchFault::Step::Resources;
    return error == EMFILE || error == ENFILE || error == EAGAIN || error == ENOMEM
        || error == ENOBUFS;
}

// A retry cannot help.
bool isPermanent(const LaunchFault &fault)
{
    using Step = LaunchFault::Step;
    const int error = fault.error;
    return fault.step == Step::Definition
        || (fault.step == Step::Setting && (error == EPERM || error == EACCES || error == EINVAL));
}

QString describe(const LaunchFault &fault)
{
    const QString why = qt_error_string(fault.error);
    switch (fault.step) {
    case LaunchFault::Step::Definition:
        return fault.subject;
    case LaunchFault::Step::Program:
        if (fault.exitCode() == 127)
            return QStringLiteral("Program %1 was not found").arg(fault.subject);
        return QStringLiteral("Program %1 cannot be executed: %2").arg(fault.subject, why);
    case LaunchFault::Step::Setting:
        return QStringLiteral("Setting %1 cannot be applied: %2").arg(fault.subject, why);
    case LaunchFault::Step::Directory:
        return QStringLiteral("Working directory %1 cannot be entered: %2").arg(fault.subject, why);
    case LaunchFault::Step::File:
        return QStringLiteral("File %1 cannot be opened: %2")
            .arg(fault.subject, appendErrorText(fault.error));
    case LaunchFault::Step::KillDeadline:
        return QStringLiteral("Process is not started because of the kill deadline: %1")
            .arg(fault.subject);
    case LaunchFault::Step::Resources:
        break;
    }
    return QStringLiteral("Process cannot be started: %1").arg(why);
}

} // namespace

std::optional<int> LaunchFault::exitCode() const
{
    if (step != Step::Program)
        return std::nullopt;
    switch (error) {
    case ENOENT:
    case ENOTDIR:
        return 127;
    case EACCES:
    case EPERM:
    case ENOEXEC:
    case EISDIR:
    case EINVAL:
    case ELIBBAD:
    case E2BIG:
        return 126;
    default:
        return std::nullopt;
    }
}

Failure LaunchFault::toFailure(const ExitCodeTable &table) const
{
    Failure failure;
    failure.reason = FailureReason::InitializationFailed;
    failure.detail.message = describe(*this);
    failure.detail.permanent = isPermanent(*this);
    failure.detail.exitCode = exitCode();
    if (const std::optional<int> code = exitCode()) {
        table.meaning(*code).addTo(failure);
    } else if (step != Step::Definition && isShortage(*this)) {
        failure.reason = FailureReason::ResourceExhaustion;
    }
    return failure;
}

} // namespace Rekindle

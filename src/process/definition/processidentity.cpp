// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "credentials_p.h"

#include <rekindle/process/processidentity.h>

#include <unistd.h>

namespace Rekindle {

std::optional<ProcessIdentity::Fault> ProcessIdentity::findFault() const
{
    if (isEmpty())
        return {};
    const auto found = Credentials::of(*this);
    const auto *error = std::get_if<Credentials::Error>(&found);
    return error != nullptr ? std::optional(error->fault) : std::nullopt;
}

bool ProcessIdentity::isPermitted() const
{
    if (isEmpty() || ::geteuid() == 0)
        return true;
    const auto found = Credentials::of(*this);
    const auto *credentials = std::get_if<Credentials>(&found);
    return credentials == nullptr || credentials->areOwn();
}

} // namespace Rekindle

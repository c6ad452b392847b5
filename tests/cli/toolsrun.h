// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "commandrun.h"

namespace Rekindle {

/// The arguments of `rekindle tools` with the sample server.
inline QStringList onServer(const QStringList &tools, const QStringList &serverOptions = {})
{
    return words("tools") + tools + words("--", REKINDLE_MCPSERVER) + serverOptions;
}

} // namespace Rekindle

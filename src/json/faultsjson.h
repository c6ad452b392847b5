// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "jsontext.h"

#include <rekindle/json/fault.h>

namespace Rekindle {

/// The faults as an array of {file, line, column, pointer, severity, message}. `file` is used
/// for faults without one.
[[nodiscard]] Json faultsJson(const QList<Fault> &faults, const QString &file);

} // namespace Rekindle

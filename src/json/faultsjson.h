// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "jsonwriter.h"

#include <rekindle/json/fault.h>

namespace Rekindle {

/// Writes an array of {file, line, column, pointer, severity, message}. `file` is used for faults
/// without one.
void writeFaults(JsonWriter &json, const QList<Fault> &faults, const QString &file);

} // namespace Rekindle

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>

namespace Rekindle {

/// Whether the caller runs in the thread of `object`. Otherwise, logs the mistake. The caller must
/// then do nothing, because the object is not thread-safe.
[[nodiscard]] bool isInOwnThread(const QObject &object);

} // namespace Rekindle

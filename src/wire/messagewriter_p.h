// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "messagepeek_p.h"

#include <QStringView>

namespace Rekindle {

/// A JSON string.
[[nodiscard]] QByteArray jsonText(QStringView text);

// Messages as lines, without line ends. Ids, params, results and data are JSON text on one line.
// They are written unchanged and must be valid.

/// Replaces the id, which must be present. No other byte changes.
[[nodiscard]] QByteArray withId(QByteArrayView line, const MessagePeek &peek, QByteArrayView newId);

/// An error response. An empty `id` becomes null, for a request that could not be read.
[[nodiscard]] QByteArray makeError(QByteArrayView id, int code, QStringView message,
                                   QByteArrayView data = {});

[[nodiscard]] QByteArray makeResult(QByteArrayView id, QByteArrayView result);

[[nodiscard]] QByteArray makeRequest(QByteArrayView id, QLatin1String method,
                                     QByteArrayView params = {});
[[nodiscard]] QByteArray makeNotification(QLatin1String method, QByteArrayView params = {});

} // namespace Rekindle

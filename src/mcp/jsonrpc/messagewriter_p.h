// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "messagepeek_p.h"

#include <QStringView>

namespace Rekindle {

// Messages as lines, without their end. Ids come as JSON text, as MessageId::json() has them; so
// do params, results and data, which are written as they are and must be valid, on one line.

/// The line with another id; nothing else of it changes. It must have one.
[[nodiscard]] REKINDLE_MCP_EXPORT QByteArray withId(QByteArrayView line, const MessagePeek &peek,
                                                    QByteArrayView newId);

/// An error answer. `id` empty: null, where the request could not be read. `data` empty: none.
[[nodiscard]] REKINDLE_MCP_EXPORT QByteArray makeError(QByteArrayView id, int code,
                                                       QStringView message,
                                                       QByteArrayView data = {});

[[nodiscard]] REKINDLE_MCP_EXPORT QByteArray makeResult(QByteArrayView id, QByteArrayView result);

/// `params` empty: none.
[[nodiscard]] REKINDLE_MCP_EXPORT QByteArray makeRequest(QByteArrayView id, QLatin1String method,
                                                         QByteArrayView params = {});
[[nodiscard]] REKINDLE_MCP_EXPORT QByteArray makeNotification(QLatin1String method,
                                                              QByteArrayView params = {});

} // namespace Rekindle

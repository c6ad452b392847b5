// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/json/fault.h>

#include <QByteArrayView>

#include <optional>

namespace Rekindle {

/// A fault at the line and column of a byte of the text.
[[nodiscard]] Fault faultAt(QByteArrayView text, qsizetype offset, const QString &message);

/// The text after a byte order mark, which some editors write.
[[nodiscard]] QByteArrayView withoutByteOrderMark(QByteArrayView text);

/// The fault of a text that is not UTF-8 or has a null character.
/// `kind` is the expected kind of text, for the message: "a JSON text".
[[nodiscard]] std::optional<Fault> encodingFault(QByteArrayView text, const QString &kind);

} // namespace Rekindle

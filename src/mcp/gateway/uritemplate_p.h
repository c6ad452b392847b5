// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArrayView>

namespace Rekindle {

/// Longer ones of both are nothing that anything is looked up by.
inline constexpr qsizetype longestUriTemplate = 512;
inline constexpr qsizetype longestTemplateUri = 4096;

/// Whether a URI may have come of a template (RFC 6570) such as "file:///{path}": what "{+x}",
/// "{#x}", "{/x}" and "{?x}" stand for may hold slashes, and of the others not. The template is a
/// server's and the URI a client's: whatever they are, this takes no more steps than the product of
/// their lengths.
[[nodiscard]] bool fitsUriTemplate(QByteArrayView uri, QByteArrayView uriTemplate);

} // namespace Rekindle

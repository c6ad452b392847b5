// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArrayView>

namespace Rekindle {

// Longer templates and URIs never match.
inline constexpr qsizetype longestUriTemplate = 512;
inline constexpr qsizetype longestTemplateUri = 4096;

/// Whether a URI may be an expansion of a template (RFC 6570) such as "file:///{path}". Only the
/// variables of "{+x}", "{#x}", "{/x}" and "{?x}" may contain slashes. The number of steps is at
/// most the product of both lengths, because both come from other programs.
[[nodiscard]] bool fitsUriTemplate(QByteArrayView uri, QByteArrayView uriTemplate);

} // namespace Rekindle

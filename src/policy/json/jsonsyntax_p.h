// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "jsoncursor_p.h"

namespace Rekindle {

/// What may come next where the parser stopped.
enum class JsonExpected { Value, ValueOrEnd, NameOrEnd, Name, Colon, CommaOrEnd, EndOfText };

/// A syntax error in our words.
struct JsonSyntaxFault
{
    JsonPosition position;
    QString message; ///< "found X, expected Y"
};

/// Explains an error that lies after what the cursor has passed. `inObject` tells what the
/// innermost open bracket is.
[[nodiscard]] JsonSyntaxFault explainSyntax(JsonCursor cursor, JsonExpected expected, bool inObject,
                                            bool numberTooLarge);

} // namespace Rekindle

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "jsoncursor_p.h"

namespace Rekindle {

/// What the parser expected when it stopped.
enum class JsonExpected { Value, ValueOrEnd, NameOrEnd, Name, Colon, CommaOrEnd, EndOfText };

/// A syntax error with its message.
struct JsonSyntaxFault
{
    JsonPosition position;
    QString message; ///< "expected X, found Y"
};

/// Explains an error after the cursor's place. `inObject`: the innermost open bracket belongs to an
/// object.
[[nodiscard]] JsonSyntaxFault explainSyntax(JsonCursor cursor, JsonExpected expected, bool inObject,
                                            bool numberTooLarge);

} // namespace Rekindle

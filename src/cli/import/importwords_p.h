// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "json/durationtext.h"
#include "json/jsonnode.h"

#include <QString>
#include <QStringList>

#include <functional>
#include <optional>

namespace Rekindle {

/// The text for a value in which Rekindle replaces variables: `${` becomes `$${`.
[[nodiscard]] QString literal(QString text);

/// Appends `${NAME}`. A "$" before it would escape it, and is replaced.
void appendVariable(QString &text, const QString &variable);

/// Whether a text is the name of a variable: letters, digits and "_", not beginning with a digit.
[[nodiscard]] bool isVariableName(QStringView text);

/// Whether a text is valid as a tag of an agent.
[[nodiscard]] bool isTag(const QString &text);

/// Splits a command into words by the rules of a shell: quotes and backslashes, no variables.
/// Returns nothing if a quote is not closed. If it has variables of Rekindle, such as
/// `${NAME:-a b}`, they are not split.
enum class WordContent { Text, Variables };
[[nodiscard]] std::optional<QStringList> splitWords(const QString &command,
                                                    WordContent content = WordContent::Text);

/// A string, number or boolean as text; nothing for other values.
[[nodiscard]] std::optional<QString> scalarText(const JsonNode &node);

/// A sum of numbers with units: "90", "1.5s", "1min 30s". `seconds` returns the length of a unit,
/// or 0 if it is unknown; "" is a number without one. Returns nothing if the text is invalid.
[[nodiscard]] std::optional<Duration>
durationOf(const QString &text, const std::function<double(const QString &unit)> &seconds);

} // namespace Rekindle

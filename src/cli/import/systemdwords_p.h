// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>

#include <optional>

namespace Rekindle {

/// The words, specifiers and variables in the values of a unit.
class SystemdWords
{
public:
    /// `fileName` is that of the unit, without its folder.
    explicit SystemdWords(const QString &fileName);

    /// The name of the unit without its suffix.
    [[nodiscard]] QString agentName() const { return m_name; }

    /// Splits a value into words: quotes and escapes of C. Returns nothing if a quote is not closed
    /// or an escape is invalid.
    [[nodiscard]] static std::optional<QStringList> split(const QString &value);

    struct Expanded
    {
        QString text;
        QStringList unknown; ///< specifiers that depend on the machine
    };
    /// Replaces specifiers, such as %i, with their values for a service of the system.
    [[nodiscard]] Expanded expand(const QString &text) const;

    struct Variables
    {
        QString text;
        bool isSplit = false; ///< systemd would split the value at blanks
    };
    /// Replaces `$NAME` and `${NAME}` with variables of Rekindle, and `$$` with `$`.
    [[nodiscard]] static Variables variables(const QString &word);

private:
    QString m_name;
};

} // namespace Rekindle

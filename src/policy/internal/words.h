// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/export.h>

#include <QCoreApplication>
#include <QString>
#include <QStringList>

namespace Rekindle {

/// Texts for people. A QTranslator of the program translates them, see docs/models.md; otherwise
/// they are English. Thread-safe.
class REKINDLE_POLICY_EXPORT Words
{
#ifdef Q_LUPDATE // which ignores the condition, and takes the context from the macro
    Q_DECLARE_TR_FUNCTIONS(Rekindle::Words)
#endif

public:
    /// As QObject::tr(). In English, "(s)" after `%n` becomes "s", or nothing for 1.
    [[nodiscard]] static QString tr(const char *text, const char *disambiguation = nullptr,
                                    int n = -1);

    /// Translates a text that was made by the host of an agent: a reason, a failure, what a start
    /// waits for, or several with "; " between them. Such texts are data, which are stored and
    /// sent in English. Unknown texts are returned unchanged.
    [[nodiscard]] static QString ofData(const QString &text);

    /// The same for each text.
    [[nodiscard]] static QStringList ofData(QStringList texts);

    /// While one exists, all texts of its thread are English: for logs, and for what other
    /// processes receive.
    class REKINDLE_POLICY_EXPORT English
    {
    public:
        English();
        ~English();
        Q_DISABLE_COPY_MOVE(English)
    };
};

} // namespace Rekindle

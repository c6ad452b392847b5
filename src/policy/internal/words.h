// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/export.h>

#include <QCoreApplication>
#include <QString>

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

    /// Translates the name of a state, failure or change, which is stored and sent in English. In
    /// "ProcessCrash: exit code 1", only the name is translated. Other texts are returned
    /// unchanged.
    [[nodiscard]] static QString ofData(const QString &text);

    /// A number such as "1.5" with the decimal separator of the language.
    [[nodiscard]] static QString number(QString text);

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

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QTest>

#include <type_traits>

namespace Rekindle {

template<typename Text, typename Part>
[[nodiscard]] bool containsPart(const Text &text, const Part &part)
{
    if constexpr (std::is_same_v<Text, QString> && std::is_convertible_v<Part, const char *>)
        return text.contains(QString::fromUtf8(part));
    else
        return text.contains(part);
}
[[nodiscard]] inline QByteArray printable(const QByteArray &text) { return text; }
[[nodiscard]] inline QByteArray printable(const QString &text) { return text.toUtf8(); }

} // namespace Rekindle

/// Fails the test with the whole text if it does not contain the part.
#define VERIFY_CONTAINS(text, part)                                                                \
    do {                                                                                           \
        const auto &searchedText = (text);                                                         \
        QVERIFY2(Rekindle::containsPart(searchedText, part),                                       \
                 Rekindle::printable(searchedText).constData());                                   \
    } while (false)

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QTest>

#include <concepts>
#include <type_traits>

namespace Rekindle {

/// The text of a cell, also from a literal in UTF-8.
class RowText : public QString
{
public:
    RowText() = default;
    RowText(const char *text)
        : QString(QString::fromUtf8(text))
    {
    }
    template<std::convertible_to<QString> Text>
    RowText(const Text &text)
        : QString(text)
    {
    }
};

/// Adds the columns of a test's data, and then rows of these types:
///
///     const Rows<QString, int> row("text", "size");
///     row("no text", "", 0);
///     row("two", 3); // the first value is the name
template<typename... Types>
class Rows
{
    template<typename Type>
    using Cell = std::conditional_t<std::is_same_v<Type, QString>, RowText, Type>;

public:
    template<typename... Names>
    explicit Rows(const Names &...columns)
    {
        (QTest::addColumn<Types>(columns), ...);
    }

    void operator()(const char *name, const Cell<Types> &...values) const
    {
        QTestData &row = QTest::newRow(name);
        (static_cast<void>(row << static_cast<const Types &>(values)), ...);
    }

    void operator()(const Cell<Types> &...values) const
    {
        (*this)(nameOf(values...).constData(), values...);
    }

private:
    template<typename... Others>
    static QByteArray nameOf(const QString &first, const Others &.../*others*/)
    {
        return first.toUtf8();
    }
    template<typename... Others>
    static QByteArray nameOf(const QByteArray &first, const Others &.../*others*/)
    {
        return first;
    }
};

} // namespace Rekindle

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QtTest>

namespace Rekindle {

/// Registers a test class with the program of its folder; see REKINDLE_TEST.
class TestRegistration
{
public:
    TestRegistration(const char *className, QObject *(*factory)());

    static const TestRegistration *find(const QString &name);
    static QStringList names();

    [[nodiscard]] QObject *create() const { return m_create(); }

private:
    QString m_name; ///< the class name in lower case, which is the name of the file
    QObject *(*m_create)();
};

} // namespace Rekindle

/// Makes `CLASS` runnable as `<folder>tests <class in lower case> [Qt Test options]`.
#define REKINDLE_TEST(CLASS)                                                                       \
    static const Rekindle::TestRegistration registration##CLASS(                                   \
        #CLASS, []() -> QObject * { return new CLASS; });

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"

#ifdef QT_WIDGETS_LIB
#include <QApplication>
using Application = QApplication;
#elif defined(QT_GUI_LIB)
#include <QGuiApplication>
using Application = QGuiApplication;
#else
using Application = QCoreApplication;
#endif

#include <cstdio>
#include <memory>

// The test classes of a folder are one program, because linking a program per class took longer
// than running it. ctest runs each class in a separate process.

namespace Rekindle {

namespace {

QHash<QString, const TestRegistration *> &registrations()
{
    static QHash<QString, const TestRegistration *> all;
    return all;
}

} // namespace

TestRegistration::TestRegistration(const char *className, QObject *(*factory)())
    : m_name(QString::fromLatin1(className).toLower())
    , m_create(factory)
{
    registrations().insert(m_name, this);
}

const TestRegistration *TestRegistration::find(const QString &name)
{
    return registrations().value(name);
}

QStringList TestRegistration::names()
{
    QStringList all = registrations().keys();
    all.sort();
    return all;
}

} // namespace Rekindle

int main(int argc, char **argv)
{
    using Rekindle::TestRegistration;
    const TestRegistration *const test =
        argc > 1 ? TestRegistration::find(QString::fromLocal8Bit(argv[1])) : nullptr;
    if (!test) {
        const QString names = TestRegistration::names().join(QLatin1String("\n  "));
        std::fprintf(stderr, "usage: %s TEST [QT-TEST-OPTION...]\n  %s\n", argv[0],
                     qPrintable(names));
        return 64;
    }
    argv[1] = argv[0];
    ++argv;
    --argc;
#ifdef QT_GUI_LIB
    qputenv("QT_QPA_PLATFORM", "offscreen");
#endif
    const Application app(argc, argv);
    const std::unique_ptr<QObject> object(test->create());
    return QTest::qExec(object.get(), argc, argv);
}

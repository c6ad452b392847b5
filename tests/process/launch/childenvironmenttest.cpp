// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "process/launch/childenvironment_p.h"
#include "testprogram.h"
#include "testrow.h"

using namespace Rekindle;

class ChildEnvironmentTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { qputenv("REKINDLE_TEST", "host"); }

    void isSharedUntilHostChanges()
    {
        const ChildEnvironment first({});
        const ChildEnvironment second({});
        QCOMPARE(&first.entries(), &second.entries());
        qputenv("REKINDLE_TEST", "changed");
        const ChildEnvironment third({});
        QCOMPARE(third.value("REKINDLE_TEST"), "changed");
        QCOMPARE(first.value("REKINDLE_TEST"), "host");
    }

    void appliesChanges()
    {
        ChildEnvironment::Changes changes;
        changes[QStringLiteral("REKINDLE_TEST")] = QStringLiteral("mine");
        changes[QStringLiteral("REKINDLE_ADDED")] = QString();
        changes[QStringLiteral("PATH")] = std::nullopt;
        const ChildEnvironment environment(changes);
        QCOMPARE(environment.value("REKINDLE_TEST"), "mine");
        QVERIFY(environment.value("PATH").isEmpty());
        int added = 0;
        for (const char *entry : environment.entries())
            added += QByteArray(entry) == "REKINDLE_ADDED=" ? 1 : 0;
        QCOMPARE(added, 1);
    }

    void removesVariablesOfTheHost()
    {
        qputenv("NOTIFY_SOCKET", "x");
        qputenv("REKINDLE_INSTANCE", "x");
        const ChildEnvironment environment({});
        qunsetenv("NOTIFY_SOCKET");
        qunsetenv("REKINDLE_INSTANCE");
        QVERIFY(environment.value("NOTIFY_SOCKET").isEmpty());
        QVERIFY(environment.value("REKINDLE_INSTANCE").isEmpty());
    }

    void findsInvalidNames_data()
    {
        const Rows<QString, QString, bool> row("name", "value", "fault");
        row("plain", "A", "b=c", false);
        row("empty", {}, "b", true);
        row("=", "A=B", {}, true);
        row("NUL", "A", QString(QChar::Null), true);
    }

    void findsInvalidNames()
    {
        QFETCH(QString, name);
        QFETCH(QString, value);
        QFETCH(bool, fault);
        QCOMPARE(ChildEnvironment::firstFault({{name, value}}).has_value(), fault);
    }
};

REKINDLE_TEST(ChildEnvironmentTest)
#include "childenvironmenttest.moc"

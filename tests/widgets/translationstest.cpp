// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/internal/agentwords.h"
#include "policy/internal/words.h"
#include "testprogram.h"

#include <rekindle/models/agentaction.h>
#include <rekindle/models/eventmodel.h>
#include <rekindle/models/translations.h>
#include <rekindle/policy/eventtext.h>
#include <rekindle/widgets/agentactions.h>

#include <QAction>
#include <QFile>
#include <QtTest>

using namespace Rekindle;

class TranslationsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        (void)installTranslations(QLocale::c());
        if (!QFile::exists(QStringLiteral(":/rekindle/translations/rekindle_de.qm")))
            QSKIP("built without lrelease");
    }
    void init() { QVERIFY(installTranslations(QLocale(QStringLiteral("de_DE")))); }
    void cleanup() { (void)installTranslations(QLocale::c()); }

    void isEnglishWithoutTranslation()
    {
        QVERIFY(!installTranslations(QLocale(QStringLiteral("en_US"))));
        RestartExhausted event;
        event.totalAttempts = 1;
        QVERIFY(eventText(event).startsWith(QLatin1String("given up after 1 restart in ")));
        event.totalAttempts = 2;
        QVERIFY(eventText(event).startsWith(QLatin1String("given up after 2 restarts in ")));
    }

    void translatesEventsWithPlurals()
    {
        RestartExhausted event;
        event.totalAttempts = 1;
        QVERIFY(eventText(event).startsWith(QLatin1String("aufgegeben nach 1 Neustart in ")));
        event.totalAttempts = 2;
        QVERIFY(eventText(event).startsWith(QLatin1String("aufgegeben nach 2 Neustarts in ")));
    }

    void translatesDataWhenItIsShown_data()
    {
        QTest::addColumn<QString>("shown");
        QTest::newRow("ProcessCrash: exit code 3") << QStringLiteral("Absturz: Exit-Code 3");
        QTest::newRow("dependency db (Waiting), ready (Running, not stable)")
            << QStringLiteral("Abhängigkeit db (Wartet), ready (Läuft, nicht stabil)");
        QTest::newRow("group ready (ready is not ready)")
            << QStringLiteral("Gruppe ready (ready ist nicht bereit)");
        QTest::newRow("finished; %1 of %2") << QStringLiteral("fertig; %1 of %2");
        QTest::newRow("deploy of 4.2") << QStringLiteral("deploy of 4.2");
    }
    void translatesDataWhenItIsShown()
    {
        QFETCH(QString, shown);
        QCOMPARE(Words::ofData(QString::fromUtf8(QTest::currentDataTag())), shown);
    }

    void isEnglishForOtherProcesses()
    {
        const Words::English english;
        QCOMPARE(eventText(RestartCancelled()), QStringLiteral("restart canceled"));
        QCOMPARE(Words::ofData(QStringLiteral("finished")), QStringLiteral("finished"));
    }

    void showsNoCommandsInDetails()
    {
        const AgentStatus agent{.agent = QStringLiteral("web"),
                                .state = QStringLiteral("Exhausted")};
        QCOMPARE(detailText(agent), QStringLiteral("aufgegeben"));
    }

    void translatesActionsColumnsAndWidgets()
    {
        const AgentStatus agent{.agent = QStringLiteral("web"), .state = QStringLiteral("Running")};
        const QList<AgentAction> actions = actionsFor(agent);
        QCOMPARE(actions.at(int(ControlOperation::Restart)).text, QStringLiteral("Neu starten"));
        QCOMPARE(actions.at(int(ControlOperation::Restart)).effect,
                 QStringLiteral("web wird beendet und neu gestartet"));
        QCOMPARE(EventModel::tr("Event"), QStringLiteral("Ereignis"));
        const AgentActions widget(nullptr);
        QCOMPARE(widget.whyAction()->text(), QStringLiteral("Warum?"));
    }
};

REKINDLE_TEST(TranslationsTest)
#include "translationstest.moc"

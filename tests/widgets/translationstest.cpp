// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "control/internal/agentwords.h"
#include "fakeagents.h"
#include "policy/internal/words.h"
#include "stage.h"
#include "testprogram.h"

#include <rekindle/control/decisionlog.h>
#include <rekindle/models/agentaction.h>
#include <rekindle/models/agenttablemodel.h>
#include <rekindle/models/translations.h>
#include <rekindle/policy/eventtext.h>
#include <rekindle/widgets/agentactions.h>
#include <rekindle/widgets/stopdialog.h>

#include <QAction>
#include <QFile>
#include <QJsonDocument>
#include <QLabel>
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

    void translatesNamesInData_data()
    {
        QTest::addColumn<QString>("shown");
        QTest::newRow("ProcessCrash: exit code 3") << QStringLiteral("Absturz: exit code 3");
        QTest::newRow("stopped by an operator") << QStringLiteral("von einem Bediener beendet");
        QTest::newRow("deploy of 4.2: 50 %1") << QStringLiteral("deploy of 4.2: 50 %1");
    }
    void translatesNamesInData()
    {
        QFETCH(QString, shown);
        QCOMPARE(Words::ofData(QString::fromUtf8(QTest::currentDataTag())), shown);
    }

    void translatesEveryName()
    {
        const auto expectAll = [](const auto &names) {
            for (const auto &[value, name] : names)
                QVERIFY2(Words::ofData(name) != name, name.data());
        };
        expectAll(instanceStates);
        expectAll(circuitBreakerStates);
        expectAll(agentHealthStates);
        expectAll(failureReasons);
    }

    void isEnglishForOtherProcesses()
    {
        const Words::English english;
        QCOMPARE(eventText(RestartCancelled()), QStringLiteral("restart canceled"));
        QCOMPARE(Words::ofData(QStringLiteral("finished")), QStringLiteral("finished"));
    }

    // Only toText() is translated.
    void jsonOfExplanationIsEnglish()
    {
        const auto explained = [] {
            Stage stage;
            stage.begin(QStringLiteral("'maxRetries':2,'circuitBreaker':{'threshold':2}"),
                        QStringLiteral("start +1s isolate release stop start"));
            DecisionLog log(stage.supervisor);
            stage.play(QStringLiteral("+1s +1h stop start"));
            return log.explain(stage.first());
        };
        const AgentExplanation german = explained();
        QVERIFY(german.toText({}).contains(QLatin1String("Absturz")));
        QByteArray english = german.toJson();
        QVERIFY(!english.isEmpty());
        (void)installTranslations(QLocale::c());
        const AgentExplanation plain = explained();
        const QByteArray id = QJsonDocument::fromJson(english.split('\n').first())[u"instanceId"]
                                  .toString()
                                  .toLatin1();
        const QByteArray other =
            QJsonDocument::fromJson(plain.toJson().split('\n').first())[u"instanceId"]
                .toString()
                .toLatin1();
        QCOMPARE(english.replace(id, other), plain.toJson());
    }

    void showsNoCommandsInDetails()
    {
        const AgentStatus agent{.agent = QStringLiteral("web"),
                                .state = QStringLiteral("Exhausted")};
        QCOMPARE(detailText(agent), QStringLiteral("aufgegeben"));
    }

    void translatesActions()
    {
        const AgentStatus agent{.agent = QStringLiteral("web"), .state = QStringLiteral("Running")};
        const AgentAction restart = actionsFor(agent).at(int(ControlOperation::Restart));
        QCOMPARE(restart.text, QStringLiteral("Neu starten"));
        QCOMPARE(restart.effect, QStringLiteral("web wird beendet und neu gestartet"));
        const AgentActions widget(nullptr);
        QCOMPARE(widget.whyAction()->text(), QStringLiteral("Warum?"));
    }

    void numbersHaveDecimalSeparatorOfLanguage()
    {
        using namespace std::chrono_literals;
        QCOMPARE(readable(1500ms), QStringLiteral("1,5s"));
        FakeAgents agents;
        agents.add(QStringLiteral("web"), InstanceState::Running);
        agents.agents[0].uptime = 2500ms;
        const AgentTableModel model(agents);
        QVERIFY(model.index(0, AgentTableModel::Uptime)
                    .data()
                    .toString()
                    .startsWith(QLatin1String("2,")));
        const Words::English english;
        QCOMPARE(readable(1500ms), QStringLiteral("1.5s"));
    }

    void translatesTableOfAgents()
    {
        FakeAgents agents;
        agents.add(QStringLiteral("web"), InstanceState::CircuitOpen);
        const AgentTableModel model(agents);
        const auto state = AgentTableModel::State;
        QCOMPARE(model.headerData(state, Qt::Horizontal).toString(), QStringLiteral("Zustand"));
        QCOMPARE(model.index(0, state).data().toString(), QStringLiteral("Schutzschalter offen"));
    }

    void translatesDialog()
    {
        Stage stage;
        stage.add(QStringLiteral("web"), {.onStop = QStringLiteral("+5s stopped")},
                  QStringLiteral("'stopTimeout':'10m'"));
        stage.play(QStringLiteral("start:web"));
        StopDialog dialog(stage.supervisor);
        dialog.begin();
        QCOMPARE(dialog.windowTitle(), QStringLiteral("Agenten werden beendet"));
        const auto *const message = dialog.findChild<QLabel *>();
        QVERIFY2(message->text().contains(QLatin1String("Noch aktiv: 1.")),
                 qPrintable(message->text()));
        stage.play(QStringLiteral("+6s"));
    }
};

REKINDLE_TEST(TranslationsTest)
#include "translationstest.moc"

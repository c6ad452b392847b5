// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "comparable.h"
#include "instantagent.h"
#include "socketclient.h"
#include "testprogram.h"

#include <rekindle/control/controlserver.h>
#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/lifecycle/featuregate.h>
#include <rekindle/lifecycle/fixedlicenseprovider.h>
#include <rekindle/lifecycle/timerscheduler.h>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace Rekindle;

/// The session in docs/control.md.
class ControlPageTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void answersAsThePageSays();
};

void ControlPageTest::answersAsThePageSays()
{
    QFile page(QStringLiteral(REKINDLE_PAGE));
    QVERIFY(page.open(QIODevice::ReadOnly));
    const QByteArray text = page.readAll();
    const QByteArray mark("<!-- session -->\n```\n");
    const qsizetype start = text.indexOf(mark) + mark.size();
    const QList<QByteArray> lines =
        text.mid(start, text.indexOf("```", start) - start).trimmed().split('\n');
    QVERIFY(lines.size() >= 8);

    const QTemporaryDir folder;
    TimerScheduler scheduler;
    AgentSupervisor supervisor(scheduler);
    FixedLicenseProvider license(LicenseTier::Enterprise);
    supervisor.featureGate().setProvider(&license);
    const auto added = supervisor.add(QStringLiteral("worker"), std::make_unique<InstantAgent>());
    ControlServer server(
        supervisor,
        {.name = QStringLiteral("web"), .folder = folder.filePath(QStringLiteral("c"))});
    QCOMPARE(server.listen(), QString());
    supervisor.startAll();
    QTRY_COMPARE(supervisor.snapshot(added.id)->state, InstanceState::Running);
    SocketClient client(server.socketPath());
    for (const QByteArray &line : lines) {
        if (line.startsWith("> ")) {
            client.send(line.mid(2) + '\n');
        } else {
            QVERIFY2(line.startsWith("< "), line.constData());
            const QJsonDocument expected = QJsonDocument::fromJson(line.mid(2));
            QVERIFY2(expected.isObject(), line.constData());
            QCOMPARE(comparable(client.message()), comparable(expected.object()));
        }
    }
}

REKINDLE_TEST(ControlPageTest)
#include "controlpagetest.moc"

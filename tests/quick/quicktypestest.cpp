// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "stage.h"
#include "testprogram.h"

#include <rekindle/quick/qmltypes.h>

#include <QQmlComponent>
#include <QQmlContext>
#include <QQmlEngine>

using namespace Rekindle;

/// The types of `import Rekindle` in a QML engine.
class QuickTypesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void showsAgentsOfASupervisor();
};

void QuickTypesTest::showsAgentsOfASupervisor()
{
    Stage stage;
    stage.add(QStringLiteral("web"), {});
    stage.begin(QString());
    registerQmlTypes();
    QQmlEngine engine;
    engine.rootContext()->setContextProperty(QStringLiteral("supervisor"),
                                             supervisorForQml(stage.supervisor));
    QQmlComponent component(&engine);
    component.setData(R"(
import QtQml
import Rekindle
QtObject {
    property AgentModel agents: AgentModel { source: supervisor }
    property Agent web: Agent { model: agents; name: "web" }
    property bool runs: web.state === Rekindle.InstanceState.Running
    property int count: agents.count
})",
                      {});
    const std::unique_ptr<QObject> root(component.create());
    QVERIFY2(root, qPrintable(component.errorString()));
    QCOMPARE(root->property("count").toInt(), 1);
    QVERIFY(root->property("runs").toBool());
}

REKINDLE_TEST(QuickTypesTest)
#include "quicktypestest.moc"

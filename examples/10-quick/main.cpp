// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// Agents in a window of Qt Quick: Main.qml. The agents are those of 9-widgets.

#include "demoagents.h"
#include "scene.h"

#include <QGuiApplication>
#include <QQmlApplicationEngine>
#include <QQmlContext>
#include <QQuickWindow>
#include <Rekindle/FeatureGate>
#include <Rekindle/FixedLicenseProvider>
#include <Rekindle/QmlTypes>

int main(int argc, char **argv)
{
    Scene scene(argc, argv);
    QGuiApplication app(argc, argv);
    scene.setColors();
    Rekindle::FixedLicenseProvider license(Rekindle::LicenseTier::Enterprise);
    Rekindle::AgentSupervisor supervisor;
    supervisor.featureGate().setProvider(&license);
    supervisor.quitGracefully(app); // stops the agents after the window was closed
    DemoAgents demo(supervisor);

    QQmlApplicationEngine engine;
    qmlRegisterUncreatableMetaObject(DemoAgents::staticMetaObject, "Demo", 1, 0, "Demo", {});
    engine.rootContext()->setContextProperty(QStringLiteral("supervisor"),
                                             Rekindle::supervisorForQml(supervisor));
    engine.rootContext()->setContextProperty(QStringLiteral("demo"), &demo);
    engine.rootContext()->setContextProperty(QStringLiteral("license"), &license);
    engine.load(QUrl(QStringLiteral("qrc:/Main.qml")));
    auto *const window = qobject_cast<QQuickWindow *>(engine.rootObjects().value(0));
    if (window == nullptr)
        return 1;
    scene.play(
        supervisor, demo, [window] { return window->grabWindow(); }, [window] { window->close(); });
    supervisor.startAll();
    return QGuiApplication::exec() + scene.exitCode();
}

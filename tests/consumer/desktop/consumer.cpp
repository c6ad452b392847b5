// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// A host with views of Qt Widgets and Qt Quick.

#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/models/localagents.h>
#include <rekindle/quick/qmltypes.h>
#include <rekindle/widgets/agenttableview.h>

#include <QApplication>
#include <QQmlComponent>
#include <QQmlEngine>

#include <cstdio>
#include <memory>

int main(int argc, char **argv)
{
    using namespace Rekindle;
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    AgentSupervisor supervisor;
    LocalAgents agents(supervisor);
    AgentTableView table;
    table.setSource(&agents);
    table.show();
    registerQmlTypes();
    QQmlEngine engine;
    QQmlComponent component(&engine);
    component.setData("import Rekindle\nAgentModel {}", {});
    const std::unique_ptr<QObject> model(component.create());
    if (!model)
        std::fprintf(stderr, "%s\n", qPrintable(component.errorString()));
    return table.source() == &agents && model ? 0 : 1;
}

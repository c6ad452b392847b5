// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// Agents in a window of Qt Widgets. demoagents.cpp adds the agents, scene.cpp reads the arguments.

#include "demoagents.h"
#include "scene.h"

#include <QApplication>
#include <QComboBox>
#include <QMainWindow>
#include <QMessageBox>
#include <QSplitter>
#include <QToolBar>
#include <Rekindle/AgentActions>
#include <Rekindle/AgentTableView>
#include <Rekindle/DecisionView>
#include <Rekindle/EventView>
#include <Rekindle/FeatureGate>
#include <Rekindle/FixedLicenseProvider>
#include <Rekindle/LocalAgents>
#include <Rekindle/StopDialog>
#include <Rekindle/TimelineView>

using namespace std::chrono_literals;

int main(int argc, char **argv)
{
    Scene scene(argc, argv);
    QApplication app(argc, argv);
    scene.setColors();
    Rekindle::FixedLicenseProvider license(Rekindle::LicenseTier::Enterprise);
    Rekindle::AgentSupervisor supervisor;
    supervisor.featureGate().setProvider(&license);
    DemoAgents demo(supervisor);
    Rekindle::LocalAgents agents(supervisor); // the source of all views

    QMainWindow window;
    auto *const columns = new QSplitter(Qt::Vertical);
    auto *const top = new QSplitter(columns);
    auto *const table = new Rekindle::AgentTableView(top);
    auto *const decision = new Rekindle::DecisionView(top);
    auto *const timeline = new Rekindle::TimelineView(columns);
    auto *const events = new Rekindle::EventView(columns);
    table->setSource(&agents);
    events->setSource(&agents);
    decision->setSource(&agents);
    timeline->setSource(&agents);
    timeline->setSpan(scene.hasPicture() ? 15s : 60s);

    // The views show the same agent. A failure in the timeline, or an event, selects its decision.
    using namespace Rekindle;
    QObject::connect(table, &AgentTableView::currentAgentChanged, timeline,
                     &TimelineView::setCurrentAgent);
    QObject::connect(table, &AgentTableView::currentAgentChanged, decision,
                     &DecisionView::setAgent);
    QObject::connect(timeline, &TimelineView::currentAgentChanged, table,
                     &AgentTableView::setCurrentAgent);
    QObject::connect(timeline, &TimelineView::markActivated, decision, &DecisionView::showDecision);
    QObject::connect(events, &EventView::decisionRequested, decision,
                     [decision](const QUuid &id, const AgentEvent &event) {
                         decision->showDecision(id, event.time);
                     });
    table->setCurrentAgent(supervisor.ids().first());

    QToolBar *const operations = window.addToolBar(QStringLiteral("Agent"));
    table->agentActions().addTo(*operations);
    QToolBar *const tools = window.addToolBar(QStringLiteral("Example"));
    for (const DemoAgents::Defect defect :
         {DemoAgents::Crash, DemoAgents::Hang, DemoAgents::Leak}) {
        tools->addAction(QVariant::fromValue(defect).toString(),
                         [&, defect] { demo.damage(table->currentAgent(), defect); });
    }
    tools->addAction(QStringLiteral("Reload policy"), [&] {
        if (const QStringList faults = demo.reloadPolicy(); !faults.isEmpty())
            QMessageBox::warning(&window, QStringLiteral("Policy"), faults.join(u'\n'));
    });
    auto *const tiers = new QComboBox;
    for (const auto &[tier, name] : licenseTiers)
        tiers->addItem(name);
    tiers->setCurrentText(toText(license.status().tier));
    QObject::connect(tiers, &QComboBox::currentIndexChanged, &license,
                     [&license](int tier) { license.setTier(LicenseTier(tier)); });
    tools->addWidget(tiers);

    top->setSizes({740, 540});
    columns->setSizes({280, 120, 400});
    window.setCentralWidget(columns);
    window.resize(1280, 800);
    window.show();
    StopDialog::install(&window, supervisor);
    scene.play(
        supervisor, demo, [&window] { return window.grab().toImage(); },
        [&window] { window.close(); });
    supervisor.startAll();
    return QApplication::exec() + scene.exitCode();
}

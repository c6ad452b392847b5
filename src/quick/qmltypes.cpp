// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "agentmodel_p.h"
#include "processelement_p.h"
#include "statusdot_p.h"
#include "supervisorelement_p.h"
#include "timelineitem_p.h"

#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/quick/qmltypes.h>

#include <QQmlEngine>

#include <mutex>

// It must be called outside of a namespace.
static void initializeResources() { Q_INIT_RESOURCE(rekindle_quick); }

namespace Rekindle {

namespace {

constexpr auto module = "Rekindle";

template<typename T>
void registerType(const char *name)
{
    qmlRegisterType<T>(module, 1, 0, name);
}

void registerEnums(const QMetaObject &object, const char *name)
{
    qmlRegisterUncreatableMetaObject(object, module, 1, 0, name, QStringLiteral("only enums"));
}

} // namespace

void registerQmlTypes()
{
    static std::once_flag once;
    std::call_once(once, [] {
        initializeResources();
        registerEnums(staticMetaObject, "Rekindle");
        registerEnums(StateColors::staticMetaObject, "StateColors");
        registerEnums(AgentEvent::staticMetaObject, "AgentEvent");
        registerEnums(CommandResult::staticMetaObject, "CommandResult");
        qmlRegisterUncreatableType<SupervisorElement>(
            module, 1, 0, "Supervisor", QStringLiteral("see supervisorForQml() in C++"));
        registerType<RemoteHost>("RemoteHost");
        registerType<AgentModel>("AgentModel");
        registerType<AgentElement>("Agent");
        registerType<EventElement>("EventModel");
        registerType<ProcessElement>("Process");
        registerType<StatusDot>("StatusDot");
        registerType<TimelineItem>("TimelineItem");
        qmlRegisterType(QUrl(QStringLiteral("qrc:/rekindle/quick/AgentDelegate.qml")), module, 1, 0,
                        "AgentDelegate");
    });
}

QObject *supervisorForQml(AgentSupervisor &supervisor)
{
    registerQmlTypes();
    auto *const known =
        supervisor.findChild<SupervisorElement *>(QString(), Qt::FindDirectChildrenOnly);
    return known != nullptr ? known : new SupervisorElement(supervisor);
}

} // namespace Rekindle

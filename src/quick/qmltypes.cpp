// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/quick/qmltypes.h>
#include <rekindle/quick/statusdot.h>
#include <rekindle/quick/timelineitem.h>

#include <QQmlEngine>

#include <mutex>

// It must be called outside of a namespace.
static void initializeResources() { Q_INIT_RESOURCE(quick); }

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

void registerFile(const char *name)
{
    const QString path = QStringLiteral("qrc:/rekindle/quick/%1.qml");
    qmlRegisterType(QUrl(path.arg(QLatin1String(name))), module, 1, 0, name);
}

} // namespace

void registerQmlTypes()
{
    static std::once_flag once;
    std::call_once(once, [] {
        initializeResources();
        registerEnums(staticMetaObject, "Rekindle");
        registerEnums(StateColors::staticMetaObject, "StateColors");
        registerType<StatusDot>("StatusDot");
        registerType<TimelineItem>("TimelineItem");
        registerFile("AgentDelegate");
    });
}

} // namespace Rekindle

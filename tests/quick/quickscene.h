// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/agentsupervisor.h>
#include <rekindle/quick/qmltypes.h>

#include <QQmlComponent>
#include <QQmlContext>
#include <QQmlEngine>
#include <QQmlExpression>

#include <memory>

namespace Rekindle {

/// A QML engine with one object, whose context has the property `supervisor`.
class QuickScene
{
public:
    explicit QuickScene(AgentSupervisor *supervisor = nullptr)
    {
        registerQmlTypes();
        if (supervisor != nullptr)
            engine.rootContext()->setContextProperty(QStringLiteral("supervisor"),
                                                     supervisorForQml(*supervisor));
    }

    /// Creates the object from the file scene.qml, which imports QtQuick and Rekindle in its first
    /// line. Returns null if the text has an error.
    QObject *load(const QByteArray &text)
    {
        QQmlComponent component(&engine);
        component.setData("import QtQuick; import QtQuick.Controls.Basic; import Rekindle\n" + text,
                          QUrl(QStringLiteral("file:///scene.qml")));
        root.reset(component.create());
        error = component.errorString();
        return root.get();
    }

    /// Runs a script in the context of the object and returns its value.
    QVariant evaluate(const char *expression)
    {
        QQmlExpression parsed(qmlContext(root.get()), root.get(), QString::fromLatin1(expression));
        QVariant result = parsed.evaluate();
        if (parsed.hasError())
            qWarning("%s", qPrintable(parsed.error().toString()));
        return result;
    }

    QQmlEngine engine;
    std::unique_ptr<QObject> root;
    QString error;
};

} // namespace Rekindle

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/models/agentaction.h>

#include <QObject>

#include <utility>

namespace Rekindle {

/// An operation on the agent of an AgentElement, as a QML object. It stays the same object when the
/// agent changes, so that a view does not create its buttons again.
class ActionElement : public QObject
{
    Q_OBJECT
    Q_PROPERTY(Rekindle::ControlOperation operation READ operation CONSTANT)
    Q_PROPERTY(QString text READ text CONSTANT)
    Q_PROPERTY(bool isEnabled READ isEnabled NOTIFY changed)
    Q_PROPERTY(QString effect READ effect NOTIFY changed)

public:
    ActionElement(AgentAction action, QObject *parent)
        : QObject(parent)
        , m_action(std::move(action))
    {
    }

    /// Takes `isEnabled` and `effect`.
    void update(const AgentAction &action)
    {
        if (action.isEnabled == m_action.isEnabled && action.effect == m_action.effect)
            return;
        m_action.isEnabled = action.isEnabled;
        m_action.effect = action.effect;
        Q_EMIT changed();
    }
    [[nodiscard]] ControlOperation operation() const { return m_action.operation; }
    [[nodiscard]] QString text() const { return m_action.text; }
    [[nodiscard]] bool isEnabled() const { return m_action.isEnabled; }
    [[nodiscard]] QString effect() const { return m_action.effect; }

Q_SIGNALS:
    void changed();

private:
    AgentAction m_action;
};

} // namespace Rekindle

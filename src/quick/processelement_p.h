// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "supervisorelement_p.h"

#include <rekindle/json/fault.h>
#include <rekindle/policy/restartpolicy.h>
#include <rekindle/process/processdefinition.h>

#include <QJsonObject>
#include <QPointer>
#include <QQmlParserStatus>
#include <QUuid>

#ifdef Q_MOC_RUN // which does not see the headers of Qt
Q_DECLARE_INTERFACE(QQmlParserStatus, QQmlParserStatus_iid)
#endif

namespace Rekindle {

class AgentSupervisor;

/// The QML type Process: an agent that is a program. It is added when the object is complete, and
/// stopped and removed when the object is destroyed. If the host or the name changes, another agent
/// replaces it. A new policy applies at once, other changes from the next start on. Faults are
/// reported as warnings of QML.
class ProcessElement : public QObject, public QQmlParserStatus
{
    Q_OBJECT
    Q_INTERFACES(QQmlParserStatus)
    Q_PROPERTY(Rekindle::SupervisorElement *host MEMBER m_host NOTIFY agentChanged REQUIRED)
    Q_PROPERTY(QString name MEMBER m_name NOTIFY agentChanged REQUIRED)
    Q_PROPERTY(QString program MEMBER m_program NOTIFY changed REQUIRED)
    Q_PROPERTY(QStringList arguments MEMBER m_arguments NOTIFY changed)
    Q_PROPERTY(QString workingDirectory MEMBER m_workingDirectory NOTIFY changed)
    /// Changes to the environment of the host; null removes a variable.
    Q_PROPERTY(QVariantMap environment MEMBER m_environment NOTIFY changed)
    /// As in a configuration: ({ maxRetries: 3, initialDelay: "500ms" }).
    Q_PROPERTY(QJsonObject policy MEMBER m_policy NOTIFY changed)
    /// Whether the agent is started when it is added, and by startAll().
    Q_PROPERTY(bool autoStart MEMBER m_autoStart NOTIFY changed)

public:
    ProcessElement();
    ~ProcessElement() override;

    void classBegin() override {}
    void componentComplete() override;

Q_SIGNALS:
    void agentChanged();
    void changed();

private:
    void apply();
    void add(const RestartPolicy &policy);
    void retire(const QString &reason);
    void report(const QList<Fault> &faults) const;
    [[nodiscard]] ProcessDefinition definition() const;

    bool m_isComplete = false;
    QPointer<SupervisorElement> m_host;
    QPointer<AgentSupervisor> m_supervisor; ///< of the agent
    QUuid m_id;                             ///< null: not added
    QString m_name;
    QString m_program;
    QStringList m_arguments;
    QString m_workingDirectory;
    QVariantMap m_environment;
    QJsonObject m_policy;
    bool m_autoStart = true;
};

} // namespace Rekindle

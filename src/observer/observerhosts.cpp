// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "observer/observerhosts_p.h"

#include <QFileInfo>

namespace Rekindle {

ObserverHosts::ObserverHosts(const QStringList &addresses, const QString &folder, QObject *parent)
    : QObject(parent)
    , m_folder(folder)
{
    for (const QString &each : addresses) {
        if (!m_known.contains(each))
            add(each, folder);
        m_known.insert(each);
    }
    if (!addresses.isEmpty())
        return;
    constexpr std::chrono::seconds searchInterval{1};
    connect(&m_search, &QTimer::timeout, this, &ObserverHosts::find);
    m_search.start(searchInterval);
    find();
}

void ObserverHosts::find()
{
    const QStringList sockets = ControlClient::runningHosts(m_folder);
    for (const QString &each : sockets) {
        if (m_known.contains(each))
            continue;
        m_known.insert(each);
        const QFileInfo socket(each);
        add(socket.completeBaseName(), socket.path());
    }
}

void ObserverHosts::add(const QString &host, const QString &folder)
{
    auto *const source = new RemoteAgents(host, folder, this);
    m_sources.append(source);
    m_pending.insert(source);
    connect(source, &AgentSource::availabilityChanged, this, [this, source] {
        if (m_pending.remove(source) && m_pending.isEmpty())
            Q_EMIT allResponded();
    });
    Q_EMIT added(source);
}

} // namespace Rekindle

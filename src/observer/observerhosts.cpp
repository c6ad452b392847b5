// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "observer/observerhosts_p.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>

namespace Rekindle {

namespace {

// Hosts whose name contains the id of their process never return.
constexpr qsizetype mostExited = 10;

} // namespace

ObserverHosts::ObserverHosts(QStringList addresses, const QString &folder, QObject *parent)
    : QObject(parent)
    , m_folder(folder)
{
    addresses.removeDuplicates();
    for (const QString &each : std::as_const(addresses))
        add(each);
    if (!addresses.isEmpty())
        return;
    constexpr std::chrono::seconds searchInterval{1};
    connect(&m_search, &QTimer::timeout, this, &ObserverHosts::find);
    m_search.start(searchInterval);
    find();
}

// A watch of the folder would not report when a host listens on its new socket. Only if there is a
// new socket, the hosts get connections.
void ObserverHosts::find()
{
    const auto isNew = [this](const QString &socket) {
        return std::none_of(m_sources.begin(), m_sources.end(), [&](const RemoteAgents *each) {
            return each->name() == QFileInfo(socket).completeBaseName();
        });
    };
    const QDir folder(
        QFileInfo(ControlClient::socketPath(QStringLiteral("name"), m_folder)).path());
    const QStringList files =
        folder.entryList({QStringLiteral("*.sock")}, QDir::System | QDir::Hidden);
    if (std::none_of(files.begin(), files.end(), isNew))
        return;
    for (const QString &each : ControlClient::runningHosts(m_folder)) {
        if (!isNew(each))
            continue;
        RemoteAgents *const source = add(QFileInfo(each).completeBaseName());
        connect(source, &AgentSource::availabilityChanged, this, [this, source] {
            m_exited.removeOne(source);
            if (!source->isAvailable())
                m_exited.append(source);
            if (m_exited.size() > mostExited)
                remove(m_exited.takeFirst());
        });
    }
}

RemoteAgents *ObserverHosts::add(const QString &host)
{
    auto *const source = new RemoteAgents(host, m_folder, this);
    m_sources.append(source);
    m_pending.insert(source);
    connect(source, &AgentSource::availabilityChanged, this, [this, source] {
        if (m_pending.remove(source) && m_pending.isEmpty())
            Q_EMIT allResponded();
    });
    Q_EMIT added(source);
    return source;
}

void ObserverHosts::remove(RemoteAgents *source)
{
    m_sources.removeOne(source);
    Q_EMIT removed(source);
    source->deleteLater();
}

} // namespace Rekindle

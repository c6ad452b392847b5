// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/text/terminaltext_p.h"
#include "models/internal/statewords.h"
#include "models/internal/worstfirst.h"

#include <rekindle/gui/statecolors.h>
#include <rekindle/widgets/supervisortray.h>

#include <QGuiApplication>
#include <QPalette>

#include <algorithm>
#include <array>
#include <utility>

namespace Rekindle {

namespace {

constexpr std::chrono::milliseconds updateInterval{100};
constexpr std::chrono::milliseconds messageInterval{500};
constexpr qsizetype mostLines = 4; ///< of a message

} // namespace

SupervisorTray::SupervisorTray(QObject *parent)
    : QSystemTrayIcon(parent)
{
    m_updates.setSingleShot(true);
    m_updates.setInterval(updateInterval);
    m_notices.setSingleShot(true);
    m_notices.setInterval(messageInterval);
    connect(&m_updates, &QTimer::timeout, this, &SupervisorTray::update);
    connect(&m_notices, &QTimer::timeout, this, &SupervisorTray::showMessages);
}

SupervisorTray::SupervisorTray(AgentSource &source, QObject *parent)
    : SupervisorTray(parent)
{
    setSource(&source);
}

void SupervisorTray::setSource(AgentSource *source)
{
    if (m_source)
        m_source->disconnect(this);
    m_source = source;
    m_messages.clear();
    if (source != nullptr) {
        const auto queue = [this] {
            if (!m_updates.isActive())
                m_updates.start();
        };
        connect(source, &AgentSource::agentAdded, this, queue);
        connect(source, &AgentSource::agentChanged, this, queue);
        connect(source, &AgentSource::agentRemoved, this, queue);
        connect(source, &AgentSource::reset, this, queue);
        connect(source, &AgentSource::availabilityChanged, this, queue);
        connect(source, &QObject::destroyed, this, &SupervisorTray::update);
        connect(source, &AgentSource::eventReceived, this, &SupervisorTray::receive);
    }
    update();
}

void SupervisorTray::update()
{
    setVisible(m_source != nullptr && QSystemTrayIcon::isSystemTrayAvailable());
    m_worst.reset();
    if (!m_source)
        return;
    const QList<QUuid> ids = m_source->ids();
    m_worst = m_source->worstState(ids);
    std::array<int, instanceStateCount> counts{};
    for (const QUuid &id : ids) {
        if (const std::optional<InstanceState> state = m_source->state(id))
            ++counts[static_cast<std::size_t>(*state)];
    }
    QStringList lines{m_source->isAvailable()
                          ? tr("%1, agents: %2").arg(m_source->name()).arg(ids.size())
                          : tr("%1 is unavailable: %2").arg(m_source->name(), m_source->fault())};
    for (const InstanceState state : worstFirst) {
        if (const int count = counts[static_cast<std::size_t>(state)]; count > 0)
            lines.append(tr("%1: %2").arg(StateWords::ofState(toText(state))).arg(count));
    }
    const StateColors colors(StateColors::Scheme::Automatic, QGuiApplication::palette());
    setIcon(colors.icon(m_worst));
    setToolTip(lines.join(u'\n'));
}

void SupervisorTray::receive(const AgentEvent &event)
{
    if (event.severity != AgentEvent::Severity::Error)
        return; // such as a circuit breaker that closes
    const bool isExhausted =
        event.type == eventType(RestartExhausted()) || event.type == eventType(GroupExhausted());
    const bool isBreaker = event.type == eventType(CircuitBreakerStateChanged())
        || event.type == eventType(SharedBreakerStateChanged());
    if ((!isExhausted || !m_notifyOn.testFlag(Notification::Exhausted))
        && (!isBreaker || !m_notifyOn.testFlag(Notification::CircuitOpened)))
        return;
    m_messages.append(tr("%1: %2").arg(event.agent, foreignText(event.text)));
    if (!m_notices.isActive())
        m_notices.start();
}

// One message, because a failed network can affect all agents.
void SupervisorTray::showMessages()
{
    const QStringList all = std::exchange(m_messages, {});
    if (all.isEmpty() || !m_source)
        return;
    QStringList lines = all.first(std::min(all.size(), mostLines));
    if (all.size() > lines.size())
        lines.append(tr("and %1 more").arg(all.size() - lines.size()));
    const QString title = m_source->name();
    if (isVisible())
        showMessage(title, lines.join(u'\n'), QSystemTrayIcon::Warning);
    Q_EMIT notified(title, lines.join(u'\n'));
}

} // namespace Rekindle

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/text/terminaltext_p.h"
#include "models/internal/worstfirst.h"

#include <rekindle/gui/statecolors.h>
#include <rekindle/models/agenttablemodel.h>
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

SupervisorTray::~SupervisorTray() = default;

void SupervisorTray::setSource(AgentSource *source)
{
    m_model.reset();
    m_messages.clear();
    if (source != nullptr) {
        m_model = std::make_unique<AgentTableModel>(*source);
        connectModel();
    }
    update();
}

AgentSource *SupervisorTray::source() const { return m_model ? m_model->source() : nullptr; }

void SupervisorTray::connectModel()
{
    const auto queue = [this] {
        if (!m_updates.isActive())
            m_updates.start();
    };
    AgentTableModel *const model = m_model.get();
    connect(model, &QAbstractItemModel::dataChanged, this, queue);
    connect(model, &QAbstractItemModel::rowsInserted, this, queue);
    connect(model, &QAbstractItemModel::rowsRemoved, this, queue);
    connect(model, &QAbstractItemModel::modelReset, this, queue);
    // The context is the model, so that an earlier source is disconnected.
    connect(model->source(), &AgentSource::availabilityChanged, model, queue);
    connect(model->source(), &AgentSource::eventReceived, model,
            [this](const AgentEvent &event) { receive(event); });
}

void SupervisorTray::update()
{
    const AgentSource *const agents = source();
    setVisible(agents != nullptr && QSystemTrayIcon::isSystemTrayAvailable());
    m_worst.reset();
    if (agents == nullptr)
        return;
    std::array<int, instanceStateCount> counts{};
    std::array<QString, instanceStateCount> words;
    bool isKnown = agents->isAvailable();
    for (int row = 0; row < m_model->rowCount(); ++row) {
        const QModelIndex index = m_model->index(row, AgentTableModel::State);
        const QVariant state = index.data(AgentTableModel::AgentStateRole);
        isKnown = isKnown && state.isValid();
        const auto number = static_cast<std::size_t>(state.toInt());
        if (state.isValid() && ++counts[number] == 1)
            words[number] = index.data().toString();
    }
    QStringList lines{agents->isAvailable()
                          ? tr("%1: %2 agents").arg(agents->name()).arg(m_model->rowCount())
                          : tr("%1 is not available: %2").arg(agents->name(), agents->fault())};
    for (const InstanceState state : worstFirst) {
        const auto number = static_cast<std::size_t>(state);
        if (counts[number] == 0)
            continue;
        if (isKnown && !m_worst)
            m_worst = state;
        lines.append(tr("%1: %2").arg(words[number]).arg(counts[number]));
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
    if (all.isEmpty() || source() == nullptr)
        return;
    QStringList lines = all.first(std::min(all.size(), mostLines));
    if (all.size() > lines.size())
        lines.append(tr("and %1 more").arg(all.size() - lines.size()));
    const QString title = source()->name();
    if (isVisible())
        showMessage(title, lines.join(u'\n'), QSystemTrayIcon::Warning);
    Q_EMIT notified(title, lines.join(u'\n'));
}

} // namespace Rekindle

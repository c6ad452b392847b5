// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "evaluatormailbox_p.h"

#include <QCoreApplication>
#include <QEvent>

#include <utility>

namespace Rekindle {

EvaluatorMailbox::EvaluatorMailbox(QObject *receiver)
    : m_receiver(receiver)
{
}

int EvaluatorMailbox::wakeUp()
{
    static const int type = QEvent::registerEventType();
    return type;
}

void EvaluatorMailbox::post(EvaluatorReport report)
{
    const std::lock_guard lock(m_mutex);
    if (!m_receiver)
        return;
    m_reports.push_back(std::move(report));
    if (m_reports.size() == 1)
        QCoreApplication::postEvent(m_receiver, new QEvent(static_cast<QEvent::Type>(wakeUp())));
}

std::vector<EvaluatorReport> EvaluatorMailbox::takeAll()
{
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_reports, {});
}

void EvaluatorMailbox::close()
{
    const std::lock_guard lock(m_mutex);
    m_receiver = nullptr;
    m_reports.clear();
}

} // namespace Rekindle

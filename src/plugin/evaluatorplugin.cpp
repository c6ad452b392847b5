// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "evaluatorplugin_p.h"

#include <utility>

namespace Rekindle {

EvaluatorPlugin::EvaluatorPlugin(FoundEvaluator found, EvaluatorPlugin *previous)
    : m_found(std::move(found))
{
    if (previous && previous->info().file == info().file)
        m_thread = std::move(previous->m_thread);
}

std::shared_ptr<LazyEvaluator> EvaluatorPlugin::makeEvaluator(const QJsonObject &parameters) const
{
    return std::make_shared<LazyEvaluator>(info().file, schema().withDefaults(parameters));
}

void EvaluatorPlugin::release(std::shared_ptr<LazyEvaluator> &evaluator)
{
    if (evaluator && m_thread)
        m_thread->post({QUuid(), [evaluator = std::move(evaluator)] {}});
}

void EvaluatorPlugin::post(EvaluatorThread::Job job)
{
    if (!m_thread)
        m_thread = std::make_unique<EvaluatorThread>(info().file);
    m_thread->post(std::move(job));
}

std::optional<QUuid> EvaluatorPlugin::busyWith() const
{
    return m_thread ? m_thread->busyWith() : std::optional<QUuid>();
}

void EvaluatorPlugin::replaceThread(const QUuid &culprit)
{
    m_stuckThreads.push_back(m_thread->traces());
    const quint64 started = m_thread->startedJobs();
    std::deque<EvaluatorThread::Job> pending = m_thread->abandon();
    m_thread = std::make_unique<EvaluatorThread>(info().file, started);
    // The stuck thread may still use the evaluator of the culprit, so the culprit's other jobs are
    // not run. They are destroyed on the new thread, because they may hold objects of the plug-in.
    for (EvaluatorThread::Job &job : pending) {
        if (job.instanceId == culprit)
            m_thread->post({QUuid(), [dropped = std::move(job.run)] {}});
        else
            m_thread->post(std::move(job));
    }
}

void EvaluatorPlugin::countFault(int limit)
{
    std::erase_if(m_stuckThreads,
                  [](const EvaluatorThread::Traces &each) { return each.expired(); });
    m_quarantined =
        ++m_consecutiveFaults >= limit || m_stuckThreads.size() >= static_cast<std::size_t>(limit);
}

} // namespace Rekindle

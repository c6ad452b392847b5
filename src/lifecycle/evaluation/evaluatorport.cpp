// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "lifecycle/internal/evaluatorport.h"

#include "eventoutbox_p.h"

#include <utility>

namespace Rekindle {

void EvaluatorPort::setForward(LifecycleSignals *forward)
{
    m_evaluator.outbox().setForward(forward);
}

void EvaluatorPort::addReceiver(const QMetaMethod &signal) { m_evaluator.connectNotify(signal); }

void EvaluatorPort::post(std::function<void()> emission)
{
    EventOutbox &outbox = m_evaluator.outbox();
    outbox.post({}, [emission = std::move(emission)](auto &, auto &) { emission(); });
    outbox.drain();
}

void EvaluatorPort::defer() { m_evaluator.outbox().defer(); }

void EvaluatorPort::release() { m_evaluator.outbox().release(); }

} // namespace Rekindle

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "operatorcommands_p.h"

#include "policy/internal/operatorinput.h"

#include <rekindle/policy/instancememory.h>

#include <QPointer>

namespace Rekindle {

QString OperatorCommands::reason(const Instance &instance, OperatorCommand command,
                                 InstanceState before)
{
    switch (command) {
    case OperatorCommand::ResetBreaker:
    case OperatorCommand::IsolateBreaker:
    case OperatorCommand::ReleaseBreaker:
        return instance.policy->circuitBreaker ? noEffectText(command)
                                               : QStringLiteral("it has no circuit breaker");
    default:
        return QStringLiteral("its state is %1").arg(toText(before));
    }
}

void OperatorCommands::addCaused(const QUuid &id, const QUuid &cause) const
{
    for (Running *each = m_running; each != nullptr; each = each->outer) {
        if (each->id == cause || each->alsoStarted.contains(cause)) {
            each->alsoStarted.append(id);
            return;
        }
    }
}

CommandResult OperatorCommands::apply(const QUuid &id, const InstanceInput &input,
                                      NoEffectIf noEffectIf, const QUuid &cause)
{
    InstanceRecord *const record = m_engine.find(id);
    if (!record)
        return {};
    CommandResult result{.effect = CommandResult::Effect::Applied};
    const auto memory = [&] {
        return noEffectIf == NoEffectIf::Unchanged
            ? std::optional(remember(record->instance, m_engine.scheduler().now()))
            : std::nullopt;
    };
    EventOutbox &outbox = m_engine.outbox();
    const QPointer<EventOutbox> alive(&outbox);
    outbox.defer(); // until the effect is known
    const InstanceState before = record->instance.state;
    const std::optional<InstanceMemory> memoryBefore = memory();
    const bool isIgnored = m_engine.apply(*record, input).ignored;
    if (isIgnored || (memoryBefore && memory() == memoryBefore)) {
        result.effect = CommandResult::Effect::NoEffect;
        result.reason = reason(record->instance, commandOf(input.kind).value(), before);
    } else {
        addCaused(id, cause);
    }
    Running running{id, result.alsoStarted, m_running};
    m_running = &running;
    outbox.release(); // a slot may delete the evaluator
    if (alive)
        m_running = running.outer;
    return result;
}

} // namespace Rekindle

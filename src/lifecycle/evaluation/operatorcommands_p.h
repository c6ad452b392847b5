// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "instanceengine_p.h"

#include <rekindle/lifecycle/commandresult.h>

namespace Rekindle {

/// Applies the commands of operators and of the host to instances, and finds out what they do.
class OperatorCommands
{
public:
    explicit OperatorCommands(InstanceEngine &engine)
        : m_engine(engine)
    {
    }

    /// What a command without an effect is.
    enum class NoEffectIf {
        Ignored,   ///< the state has no rule for it
        Unchanged, ///< the instance remembers nothing else than before
    };

    /// Applies an input for which commandOf() returns a command. `cause`: the instance whose
    /// command causes this one, see CommandResult::alsoStarted; null: none.
    CommandResult apply(const QUuid &id, const InstanceInput &input, NoEffectIf noEffectIf,
                        const QUuid &cause = {});

private:
    [[nodiscard]] static QString reason(const Instance &instance, OperatorCommand command,
                                        InstanceState before);

    /// A command that emits its signals.
    struct Running
    {
        QUuid id;
        QList<QUuid> &alsoStarted;
        Running *outer = nullptr; ///< a slot of its signals has called this one
    };
    void addCaused(const QUuid &id, const QUuid &cause) const;

    InstanceEngine &m_engine;
    Running *m_running = nullptr; ///< the innermost
};

} // namespace Rekindle

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

    /// Applies an input for which commandOf() returns a command.
    CommandResult apply(const QUuid &id, const InstanceInput &input, NoEffectIf noEffectIf);

private:
    [[nodiscard]] static QString reason(const Instance &instance, OperatorCommand command,
                                        InstanceState before);

    InstanceEngine &m_engine;
    /// Of the command that emits its signals now.
    QList<QUuid> *m_alsoStarted = nullptr;
};

} // namespace Rekindle

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/control/controlmessages.h>
#include <rekindle/models/export.h>

#include <QCoreApplication>

namespace Rekindle {

/// States of agents in the language of the user.
class REKINDLE_MODELS_EXPORT StateWords
{
    Q_DECLARE_TR_FUNCTIONS(Rekindle::StateWords)

public:
    /// The name of the state of an agent, its breaker or its health. If it has no translation,
    /// "CircuitOpen" becomes "Circuit open".
    [[nodiscard]] static QString ofState(const QString &state);

    /// "web, running, for 5m": a sentence that a screen reader speaks.
    [[nodiscard]] static QString spoken(const AgentStatus &agent);
    /// The status as rich text, one fact on each line.
    [[nodiscard]] static QString toolTip(const AgentStatus &agent);
};

} // namespace Rekindle

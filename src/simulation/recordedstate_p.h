// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "recordedlives_p.h"

#include <rekindle/policy/instance.h>

#include <QHash>
#include <QList>
#include <QString>

#include <optional>

namespace Rekindle {

/// Where a simulation continues a recorded run.
struct RecordedState
{
    struct Agent
    {
        std::optional<Instance> instance{}; ///< empty before it was added
        RecordedLives lives{};              ///< of the whole run
        std::size_t launches = 0;           ///< until now
        std::size_t reports = 0;            ///< of the latest process, until now
    };

    Instant begin{}; ///< of the run
    Instant now{};
    QHash<QString, Agent> agents{}; ///< of the configuration, by name
    QList<JournalEntry> commands{}; ///< from now on: inputs of operators and of the host
};

} // namespace Rekindle

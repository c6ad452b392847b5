// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/evaluator/restartevaluator.h>

namespace Rekindle {

/// The evaluator of one instance, created at the first use. Only jobs on the plug-in's thread use
/// it and destroy it. The code of the plug-in is loaded at the first use and never unloaded.
class LazyEvaluator
{
public:
    LazyEvaluator(QString file, QJsonObject parameters);

    /// Blocks while the code is loaded. Throws what the plug-in throws, and std::runtime_error.
    RestartEvaluator &get();
    /// Returns whether get() threw although the plug-in was loaded.
    [[nodiscard]] bool hasCreationFailed() const { return m_isLoaded && !m_evaluator; }

private:
    const QString m_file;
    const QJsonObject m_parameters;
    std::unique_ptr<RestartEvaluator> m_evaluator;
    bool m_isLoaded = false;
};

} // namespace Rekindle

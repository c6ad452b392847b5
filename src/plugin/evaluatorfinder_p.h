// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "parameterschema_p.h"

#include <rekindle/plugin/evaluatorinfo.h>

#include <QList>
#include <QStringList>

namespace Rekindle {

/// A plug-in that was found. Its state is Allowed or Rejected; the license is checked at use.
struct FoundEvaluator
{
    EvaluatorInfo info;
    ParameterSchema schema;
};

/// Searches the folders. A file is judged by its metadata and permissions; no code of it is loaded.
[[nodiscard]] QList<FoundEvaluator> findEvaluators(const QStringList &folders);

} // namespace Rekindle

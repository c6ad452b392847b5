// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "parameterschema_p.h"

#include <rekindle/plugin/evaluatorinfo.h>

#include <QList>
#include <QStringList>

namespace Rekindle {

/// A plug-in that was found. Its state is Allowed or Refused; the licence is asked later.
struct FoundEvaluator
{
    EvaluatorInfo info;
    ParameterSchema schema;
};

/// Looks into the folders and judges what is there by metadata and place alone.
[[nodiscard]] QList<FoundEvaluator> findEvaluators(const QStringList &folders);

} // namespace Rekindle

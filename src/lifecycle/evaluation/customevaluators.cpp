// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/lifecycle/customevaluators.h>

namespace Rekindle {

CustomEvaluators::CustomEvaluators(QObject *parent)
    : QObject(parent)
{
}

CustomEvaluators::~CustomEvaluators() = default;

} // namespace Rekindle

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/lifecycle/agent.h>

namespace Rekindle {

Agent::Agent(QObject *parent)
    : QObject(parent)
{
}

Agent::~Agent() = default;

} // namespace Rekindle

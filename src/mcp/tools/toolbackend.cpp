// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/mcp/toolbackend.h>

namespace Rekindle {

ToolBackend::ToolBackend(QObject *parent)
    : QObject(parent)
{
}

ToolBackend::~ToolBackend() = default;

} // namespace Rekindle

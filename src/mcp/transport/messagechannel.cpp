// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/mcp/messagechannel.h>

namespace Rekindle {

MessageChannel::MessageChannel(QObject *parent)
    : QObject(parent)
{
}

MessageChannel::~MessageChannel() = default;

} // namespace Rekindle

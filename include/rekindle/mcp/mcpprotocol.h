// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/mcp/export.h>

#include <QObject>

namespace Rekindle {

/// The Model Context Protocol.
struct McpProtocol
{
    Q_GADGET_EXPORT(REKINDLE_MCP_EXPORT)
    Q_CLASSINFO("RegisterEnumClassesUnscoped", "false")

public:
    /// The revisions of the protocol, as far as sessions differ (spec 9).
    enum class Revision {
        Unknown, ///< not determined yet
        Legacy,  ///< up to 2025-11-25: the session opens with initialize
        Modern,  ///< from 2026-07-28: no handshake, every request names the revision
    };
    Q_ENUM(Revision)
};

} // namespace Rekindle

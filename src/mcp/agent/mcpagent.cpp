// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/mcp/mcpagent.h>

#include "mcp/transport/processchannel_p.h"

#include <utility>

namespace Rekindle {

class McpAgent::Private
{
public:
    Private(ProcessPipes &pipes, Scheduler &scheduler, McpClientOptions options)
        : channel(pipes)
        , client(channel, scheduler, std::move(options))
    {
    }

    ProcessChannel channel;
    McpClient client;
};

McpAgent::McpAgent(ProcessDefinition definition, Scheduler &scheduler, McpClientOptions options,
                   QObject *parent)
    : ProtocolAgent(QStringLiteral("MCP"), std::move(definition), scheduler, parent)
    , d(std::make_unique<Private>(pipes(), scheduler, std::move(options)))
{
    connect(&d->client, &McpClient::ready, this, &McpAgent::reportReady);
    connect(&d->client, &McpClient::failed, this, [this](const McpError &error) {
        fail(FailureReason::InitializationFailed,
             QStringLiteral("The MCP handshake failed: ") + error.message);
    });
    connect(&d->channel, &MessageChannel::lost, this, &McpAgent::failDisconnected);
}

McpAgent::~McpAgent() = default;

void McpAgent::handshake() { d->client.open(); }

McpClient &McpAgent::client() { return d->client; }

} // namespace Rekindle

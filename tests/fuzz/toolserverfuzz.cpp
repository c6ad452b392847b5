// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// Reads any lines as the input of an MCP server with tools. All that is sent must be
// responses in JSON-RPC, each on one line, and no call has two.

#include "fuzztarget.h"

#include "mcp/server/toolsession_p.h"

using namespace Rekindle;

void fuzzOne(QByteArrayView bytes)
{
    ToolSession session({"Fuzz", R"({"name":"look"})", {QStringLiteral("look")}});
    const auto check = [&session] {
        for (const QByteArray &line : session.takeLines()) {
            require(!line.contains('\n'), "a response has a line end");
            require(MessagePeek::at(line).isResponse(), "something else than a response was sent");
        }
    };
    int calls = 0;
    for (const QByteArray &line : bytes.toByteArray().split('\n')) {
        session.read({.bytes = line, .size = line.size()});
        check();
        require(session.callCount() <= ToolSession::maxCalls, "too many calls are open");
        for (const ServedCall &call : session.takeCalls()) {
            require(call.arguments.startsWith('{'), "the arguments are no object");
            // Every third call is never answered, and every second answer is repeated.
            if (++calls % 3 == 0)
                continue;
            session.answer(call.number, call.tool, false, call.arguments);
            require(session.takeLines().size() <= 1, "a call has two responses");
            session.answer(call.number, call.tool, true);
            require(session.takeLines().empty(), "a call has two responses");
        }
    }
}

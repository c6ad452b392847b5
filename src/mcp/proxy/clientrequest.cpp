// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "clientrequest_p.h"

#include <algorithm>
#include <array>

namespace Rekindle {

namespace {

using Role = ClientRequest::Role;

/// A method that the session treats specially.
struct Method
{
    QByteArrayView name;
    Role role = Role::Plain;
    bool isRepeatable = false; ///< it only reads, or sets what may be set twice
};

constexpr std::array<Method, 17> methods{{
    {"tools/call", Role::ToolCall, false}, // the tool decides
    {"initialize", Role::Initialize, false},
    {"tools/list", Role::List, true},
    {"prompts/list", Role::List, true},
    {"resources/list", Role::List, true},
    {"resources/templates/list", Role::Plain, true},
    {"resources/read", Role::Plain, true},
    {"prompts/get", Role::Plain, true},
    {"completion/complete", Role::Plain, true},
    {"tasks/get", Role::Task, true},
    {"tasks/result", Role::Task, true},
    {"ping", Role::Ping, false},
    {"logging/setLevel", Role::SetLevel, true},
    {"resources/subscribe", Role::Subscribe, true},
    {"resources/unsubscribe", Role::Unsubscribe, true},
    {"server/discover", Role::Discover, true},
    {"subscriptions/listen", Role::Listen, false},
}};

} // namespace

ClientRequest ClientRequest::of(const QByteArray &line, const MessagePeek &peek)
{
    ClientRequest request{.id = peek.id, .method = peek.method, .line = line};
    const auto *const method =
        std::find_if(methods.begin(), methods.end(),
                     [&](const Method &entry) { return entry.name == peek.method; });
    if (method != methods.end()) {
        request.role = method->role;
        request.isRepeatable = method->isRepeatable;
    }
    // The parameters are scanned once, because they can be long.
    enum Parameter { Meta, Cursor, Name, Uri, TaskId };
    std::array<NamedSpan, 5> parameters{{{"_meta"}, {"cursor"}, {"name"}, {"uri"}, {"taskId"}}};
    jsonMembers(line, peek.params, parameters);
    const auto textOf = [&](JsonSpan value) {
        return jsonStringText(value.of(line)).value_or(QByteArray());
    };
    if (request.role == Role::ToolCall)
        request.subject = textOf(parameters[Name].value);
    else if (request.role == Role::Subscribe || request.role == Role::Unsubscribe)
        request.subject = textOf(parameters[Uri].value);
    else if (request.role == Role::Task)
        request.subject = textOf(parameters[TaskId].value);
    else if (request.role == Role::List)
        request.isFirstPage = !parameters[Cursor].value.isPresent();
    std::array<NamedSpan, 2> meta{{{"progressToken"}, {"traceparent"}}};
    jsonMembers(line, parameters[Meta].value, meta);
    request.progressToken = MessageId::ofJson(meta[0].value.of(line));
    if (request.role == Role::ToolCall)
        request.traceParent = textOf(meta[1].value);
    return request;
}

std::optional<Instant> earlier(std::optional<Instant> one, std::optional<Instant> other)
{
    const Instant first = std::min(one.value_or(Instant::max()), other.value_or(Instant::max()));
    return first == Instant::max() ? std::nullopt : std::optional(first);
}

} // namespace Rekindle

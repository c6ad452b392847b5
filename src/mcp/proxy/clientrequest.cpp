// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "clientrequest_p.h"

#include <algorithm>
#include <array>

namespace Rekindle {

namespace {

using Role = ClientRequest::Role;

struct MethodRole
{
    QByteArrayView method;
    Role role;
};

constexpr std::array<MethodRole, 11> roles{{
    {"tools/call", Role::ToolCall},
    {"initialize", Role::Initialize},
    {"tools/list", Role::List},
    {"prompts/list", Role::List},
    {"resources/list", Role::List},
    {"ping", Role::Ping},
    {"logging/setLevel", Role::SetLevel},
    {"resources/subscribe", Role::Subscribe},
    {"resources/unsubscribe", Role::Unsubscribe},
    {"server/discover", Role::Discover},
    {"subscriptions/listen", Role::Listen},
}};

constexpr std::array<QByteArrayView, 12> repeatableMethods{
    "tools/list",          "prompts/list",
    "resources/list",      "resources/templates/list",
    "resources/read",      "prompts/get",
    "completion/complete", "logging/setLevel",
    "resources/subscribe", "resources/unsubscribe",
    "server/discover",     "tasks/get"};

Role roleOf(QByteArrayView method)
{
    const auto found = std::find_if(roles.begin(), roles.end(), [&](const MethodRole &entry) {
        return entry.method == method;
    });
    return found != roles.end() ? found->role : Role::Plain;
}

} // namespace

ClientRequest ClientRequest::of(const QByteArray &line, const MessagePeek &peek)
{
    const auto param = [&](QByteArrayView name) { return jsonMember(line, peek.params, name); };
    ClientRequest request;
    request.id = peek.id;
    request.method = peek.method;
    request.line = line;
    request.role = roleOf(peek.method);
    if (request.role == Role::ToolCall)
        request.subject = nameOf(line, peek).value_or(QByteArray());
    else if (request.role == Role::Subscribe || request.role == Role::Unsubscribe)
        request.subject = jsonStringText(param("uri").of(line)).value_or(QByteArray());
    else if (request.role == Role::List)
        request.isFirstPage = !param("cursor").isPresent();
    request.progressToken = progressTokenOf(line, peek);
    return request;
}

bool ClientRequest::isMethodRepeatable() const
{
    return std::find(repeatableMethods.begin(), repeatableMethods.end(), method)
        != repeatableMethods.end();
}

std::optional<Instant> earlier(std::optional<Instant> one, std::optional<Instant> other)
{
    const Instant first = std::min(one.value_or(Instant::max()), other.value_or(Instant::max()));
    return first == Instant::max() ? std::nullopt : std::optional(first);
}

} // namespace Rekindle

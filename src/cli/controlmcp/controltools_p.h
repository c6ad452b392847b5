// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QString>
#include <QStringList>

#include <chrono>
#include <optional>
#include <variant>

namespace Rekindle {

/// What a tool call requests from a host.
struct HostRequest
{
    QString method{};
    QJsonObject params{};
    /// The time in which the host must respond.
    std::chrono::milliseconds limit = std::chrono::seconds(10);
    /// The events to be returned: the oldest ones after a cursor, or the newest ones without a
    /// cursor. Nothing for other requests than events.subscribe.
    std::optional<int> eventLimit{};
    bool hasCursor = false;
    /// The result of the host has no cursor.
    bool needsCursor = false;

    bool operator==(const HostRequest &) const = default;
};

/// The tools of `rekindle control-mcp`.
class ControlTools
{
public:
    /// `mayOperate` offers the tools that change something.
    explicit ControlTools(bool mayOperate)
        : m_mayOperate(mayOperate)
    {
    }

    /// The definitions of the offered tools, as JSON objects separated by commas.
    [[nodiscard]] QByteArray definitions() const;
    /// The names of all tools, also of those that are not offered, because their calls are refused
    /// with a reason.
    [[nodiscard]] static QStringList names();

    /// The request of a call, or why it is refused. The host checks the remaining arguments.
    [[nodiscard]] std::variant<HostRequest, QString> requestOf(const QString &tool,
                                                               const QJsonObject &arguments) const;

private:
    bool m_mayOperate;
};

} // namespace Rekindle

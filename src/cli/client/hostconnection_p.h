// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/control/controlclient.h>
#include <rekindle/lifecycle/timerscheduler.h>

#include <QHash>

#include <memory>
#include <optional>

namespace Rekindle {

class Messages;

/// The exit code if a connection fails or ends.
[[nodiscard]] int exitCodeOf(ControlClient::Cause cause);

/// Sends requests to a host and runs the event loop until the response arrives. An error is
/// reported and ends the command.
class HostConnection
{
public:
    /// The time in which a host must respond, unless the request itself takes time.
    static constexpr Duration longestWait = std::chrono::seconds(10);

    explicit HostConnection(Messages &messages);

    /// Connects to an address of HostChoice.
    void open(const QString &address);

    /// Waits for the response to a request of client() and returns its result. An empty limit means
    /// that the host may take any time.
    template<typename T>
    T result(QFuture<ControlResult<T>> future, std::optional<Duration> limit = longestWait)
    {
        const auto isDone = std::make_shared<bool>(false); // it may arrive after the limit
        auto reply = future.then([isDone](const ControlResult<T> &received) {
            *isDone = true;
            return received;
        });
        wait(*isDone, limit);
        const ControlResult<T> received = reply.result();
        if (received.error)
            end(*received.error);
        return received.value;
    }

    /// Does the same with a request that has no function of its own.
    QJsonValue request(const QString &method, const QJsonObject &params = {},
                       std::optional<Duration> limit = longestWait)
    {
        return result(m_client.request(method, params), limit);
    }

    /// Waits until the agents are in this state of agents.wait. An empty timeout means no limit.
    void waitForState(const QString &state, const QStringList &agents,
                      std::optional<Duration> timeout);

    /// Faults of this parameter are reported with the name of the option that sets it.
    void nameParameter(const QString &parameter, const QString &option)
    {
        m_options.insert(parameter, option);
    }

    /// Runs the event loop until a slot has set the flag, or for this time. Returns false if the
    /// connection ended before, or if the reader of stdout has exited, which is no error. An
    /// orderly exit of the host is reported, and is no error either.
    bool follow(const bool &isDone, std::optional<Duration> limit = {});

    /// From now on, the end of the connection is not an error.
    void expectEnd() { m_expectsEnd = true; }

    /// Runs the event loop until the connection ends.
    void waitForEnd() { runUntil(false, std::nullopt); }

    /// The messages of the command. The texts can be from the host.
    [[nodiscard]] Messages &messages() { return m_messages; }

    /// Writes the faults of a configuration that a response contains.
    void reportFaults(const QJsonValue &faults);

    [[nodiscard]] ControlClient &client() { return m_client; }

    /// Whether the host may run on another machine.
    [[nodiscard]] bool isRemote() const { return m_isRemote; }

    /// Whether the connection has ended.
    [[nodiscard]] bool hasEnded() const { return m_hasFailed; }

    /// The exit code of the last error.
    [[nodiscard]] int exitCode() const { return m_exitCode; }

private:
    /// Runs the event loop. It is an error if the connection ends or the host does not respond in
    /// time.
    void wait(const bool &isDone, std::optional<Duration> limit);
    void runUntil(const bool &isDone, std::optional<Duration> limit);
    void handleEnd(ControlClient::Cause cause, const QString &text);
    /// In a slot, which must not end the command.
    void report(int exitCode, const QString &text);
    [[noreturn]] void end(const ControlError &error);
    [[nodiscard]] QString textOf(const ControlError &error, const QJsonObject &data) const;

    Messages &m_messages;
    TimerScheduler m_scheduler;
    ControlClient m_client;
    QString m_address;
    QHash<QString, QString> m_options; ///< by the name of the parameter
    int m_exitCode = 0;
    bool m_isOpened = false;
    bool m_isRemote = false;
    bool m_expectsEnd = false;
    bool m_isFollowing = false; ///< an orderly exit of the host is not an error
    bool m_hostExits = false;   ///< the host has announced its exit
    bool m_isUnread = false;    ///< the reader of stdout has exited
    bool m_hasFailed = false;   ///< or the connection has ended as expected
};

} // namespace Rekindle

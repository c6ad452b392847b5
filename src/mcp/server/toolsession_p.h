// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "mcp/jsonrpc/clientlinereader_p.h"
#include "mcp/jsonrpc/mcpmembers_p.h"

#include <QHash>
#include <QStringList>

#include <vector>

namespace Rekindle {

struct ServedTools
{
    QByteArray title{};       ///< of the server
    QByteArray definitions{}; ///< JSON objects separated by commas
    QStringList names{};
};

/// A tool call, by its number in the session.
struct ServedCall
{
    quint64 number = 0;
    QString tool{};
    QByteArray arguments{}; ///< a JSON object

    bool operator==(const ServedCall &) const = default;
};

/// The protocol of an MCP server that only offers tools: lines of the client in; calls and lines to
/// the client out. Each request has exactly one response, unless the client cancels it. It supports
/// the legacy revisions and, without a handshake, 2026-07-28. It has no I/O and no clock.
class ToolSession final : private ClientLineReader::Handler
{
public:
    static constexpr qsizetype maxCalls = 16; ///< that are not answered yet

    explicit ToolSession(ServedTools tools);
    Q_DISABLE_COPY_MOVE(ToolSession)
    ~ToolSession() = default;

    void read(const FramedLine &line) { m_reader.read(line); }

    /// Answers a call with a text and a JSON object, which may be empty. Ignored if the call was
    /// cancelled or answered.
    void answer(quint64 call, const QString &text, bool isError, QByteArrayView structured = {});

    [[nodiscard]] qsizetype callCount() const { return m_calls.size(); }

    // What has happened since the last call.
    [[nodiscard]] std::vector<QByteArray> takeLines() { return std::exchange(m_lines, {}); }
    [[nodiscard]] std::vector<ServedCall> takeCalls() { return std::exchange(m_new, {}); }
    [[nodiscard]] std::vector<quint64> takeCancelled() { return std::exchange(m_cancelled, {}); }

private:
    struct OpenCall
    {
        MessageId id;
        McpProtocol::Revision revision = McpProtocol::Revision::Legacy;
    };

    void clientRequest(const QByteArray &line, const MessagePeek &peek) override;
    void clientNotification(const QByteArray &line, const MessagePeek &peek) override;
    void clientResponse(const QByteArray & /*line*/, const MessagePeek & /*peek*/) override {}
    void clientResponseFailed(const MessageId & /*id*/, const QString & /*why*/) override {}
    void clientLineRejected(const MessageId &id, int code, const QString &why) override;
    [[nodiscard]] bool isServerRequestOpen(const MessageId & /*id*/) const override
    {
        return false; // it sends no requests
    }

    [[nodiscard]] QByteArray initialized(const QByteArray &line, const MessagePeek &peek) const;
    [[nodiscard]] QByteArray discovered() const;
    void call(const QByteArray &line, const MessagePeek &peek, McpProtocol::Revision revision);
    [[nodiscard]] QHash<quint64, OpenCall>::const_iterator callOf(const MessageId &id) const;

    const ServedTools m_tools;
    ClientLineReader m_reader;
    QHash<quint64, OpenCall> m_calls;
    quint64 m_lastCall = 0;
    std::vector<QByteArray> m_lines;
    std::vector<ServedCall> m_new;
    std::vector<quint64> m_cancelled;
};

} // namespace Rekindle

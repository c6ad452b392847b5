// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/virtualscheduler.h>
#include <rekindle/mcp/mcpclient.h>

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>

namespace Rekindle {

inline QJsonObject parsed(const QByteArray &json) { return QJsonDocument::fromJson(json).object(); }

/// A channel whose other end is the test.
class ScriptedChannel : public MessageChannel
{
public:
    qint64 send(const QByteArray &line) override
    {
        if (!open || full)
            return -1;
        sent.push_back(parsed(line));
        if (writes)
            written = sent.size();
        return sent.size();
    }
    [[nodiscard]] qint64 lastWritten() const override { return written; }
    [[nodiscard]] bool isOpen() const override { return open; }

    /// Returns the last message of the client.
    [[nodiscard]] QJsonObject last() const { return sent.isEmpty() ? QJsonObject() : sent.last(); }
    [[nodiscard]] qint64 lastId() const { return last().value(QLatin1String("id")).toInteger(); }
    [[nodiscard]] QString lastMethod() const
    {
        return last().value(QLatin1String("method")).toString();
    }
    [[nodiscard]] QJsonObject lastParams() const
    {
        return last().value(QLatin1String("params")).toObject();
    }

    void say(const QByteArray &line) { Q_EMIT received(line); }
    void answer(qint64 id, const QByteArray &result)
    {
        say("{\"jsonrpc\":\"2.0\",\"id\":" + QByteArray::number(id) + ",\"result\":" + result
            + '}');
    }
    void refuse(qint64 id, int code, const QByteArray &message = "no")
    {
        say("{\"jsonrpc\":\"2.0\",\"id\":" + QByteArray::number(id) + ",\"error\":{\"code\":"
            + QByteArray::number(code) + ",\"message\":\"" + message + "\"}}");
    }
    void notify(const QByteArray &method, const QByteArray &params = "{}")
    {
        say(R"({"jsonrpc":"2.0","method":")" + method + R"(","params":)" + params + '}');
    }
    void lose(const QString &message, int exitCode = 3)
    {
        open = false;
        McpError error;
        error.message = message;
        error.process.exitCode = exitCode;
        error.process.stderrTail = {QStringLiteral("last line")};
        Q_EMIT lost(error);
    }

    QList<QJsonObject> sent;
    qint64 written = 0;
    bool writes = true;
    bool open = true;
    bool full = false;
};

/// A client in virtual time, with its signals as text.
struct ClientStage
{
    explicit ClientStage(McpClientOptions options = {})
        : client(channel, scheduler, std::move(options))
    {
        QObject::connect(&client, &McpClient::ready, &client,
                         [this] { log.push_back(QStringLiteral("ready")); });
        QObject::connect(&client, &McpClient::failed, &client, [this](const McpError &error) {
            log.push_back(QStringLiteral("failed ") + toText(error.kind) + u' ' + error.message);
        });
        QObject::connect(&client, &McpClient::toolsChanged, &client,
                         [this] { log.push_back(QStringLiteral("tools changed")); });
        QObject::connect(&client, &McpClient::noise, &client, [this](const QByteArray &line) {
            log.push_back(QStringLiteral("noise ") + QString::fromUtf8(line));
        });
        QObject::connect(&client, &McpClient::notified, &client,
                         [this](const QString &method, const QJsonObject &) {
                             log.push_back(QStringLiteral("notified ") + method);
                         });
    }

    /// Completes the legacy handshake, with two tools.
    void openLegacy()
    {
        client.open();
        answer(initializeResult);
        answer(R"({"tools":[{"name":"a"},{"name":"b"}]})");
    }

    /// Answers the last message of the client.
    void answer(const QByteArray &result) { channel.answer(channel.lastId(), result); }

    /// Processes the events of canceled futures.
    static void settle() { QCoreApplication::processEvents(); }

    static constexpr char initializeResult[] =
        R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},)"
        R"("serverInfo":{"name":"s","version":"1"}})";

    VirtualClock clock;
    VirtualScheduler scheduler{clock};
    ScriptedChannel channel;
    McpClient client;
    QStringList log;
};

} // namespace Rekindle

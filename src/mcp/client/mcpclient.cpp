// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/mcp/mcpclient.h>

#include "mcpclient_p.h"

#include <QFutureWatcher>
#include <QPromise>

#include <utility>

namespace Rekindle {

template<typename Answer>
QFuture<Answer> McpClient::Private::promise(const QString &method, const QJsonObject &params,
                                            const CallOptions &options)
{
    const auto promise = std::make_shared<QPromise<Answer>>();
    promise->start();
    QFuture<Answer> future = promise->future();
    const auto answered = [promise](const McpAnswer &answer) {
        promise->addResult(Answer{answer});
        promise->finish();
    };
    if (!m_isReady) {
        McpError error;
        error.kind = McpError::Kind::NotReady;
        error.message = QStringLiteral("The server is not ready");
        answered({std::move(error), {}});
        return future;
    }
    Waiting waiting;
    waiting.options = options;
    const qint64 id = send(method, params, waiting, answered);
    if (id != 0) {
        auto *watcher = new QFutureWatcher<Answer>(&q);
        QObject::connect(watcher, &QFutureWatcherBase::canceled, &q, [this, id] { cancel(id); });
        QObject::connect(watcher, &QFutureWatcherBase::finished, watcher, &QObject::deleteLater);
        watcher->setFuture(future);
    }
    return future;
}

McpClient::McpClient(MessageChannel &channel, Scheduler &scheduler, McpClientOptions options,
                     QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(*this, channel, scheduler, std::move(options)))
{
    connect(&channel, &MessageChannel::received, this,
            [this](const QByteArray &line) { d->received(line); });
    connect(&channel, &MessageChannel::receivedTooLong, this,
            [this](const QByteArray &first, const QByteArray &last, qint64 size) {
                d->receivedTooLong(first, last, size);
            });
    connect(&channel, &MessageChannel::lost, this,
            [this](const McpError &error) { d->lost(error); });
}

McpClient::~McpClient() = default;

void McpClient::open() { d->open(); }

bool McpClient::isReady() const { return d->m_isReady; }

std::optional<Duration> McpClient::handshakeTime() const
{
    return d->m_opened ? std::optional(d->m_scheduler.now() - *d->m_opened) : std::nullopt;
}

McpEra McpClient::era() const { return d->m_facts.era; }

QString McpClient::protocolVersion() const { return d->m_facts.protocolVersion; }

QJsonObject McpClient::serverInfo() const { return d->m_facts.info; }

QJsonObject McpClient::serverCapabilities() const { return d->m_facts.capabilities; }

QList<McpTool> McpClient::tools() const { return d->m_facts.tools; }

QFuture<ToolResult> McpClient::call(const QString &tool, const QJsonObject &arguments,
                                    const CallOptions &options)
{
    return d->promise<ToolResult>(
        QStringLiteral("tools/call"),
        {{QLatin1String("name"), tool}, {QLatin1String("arguments"), arguments}}, options);
}

QFuture<McpAnswer> McpClient::request(const QString &method, const QJsonObject &params,
                                      const CallOptions &options)
{
    return d->promise<McpAnswer>(method, params, options);
}

bool McpClient::notify(const QString &method, const QJsonObject &params)
{
    return d->notify(method, params);
}

QFuture<McpAnswer> McpClient::probe(Duration timeout)
{
    CallOptions options;
    options.timeout = timeout;
    options.longest = timeout;
    options.resetByProgress = false;
    return request(d->isModern() ? QStringLiteral("server/discover") : QStringLiteral("ping"), {},
                   options);
}

void McpClient::setRequestHandler(const QString &method, RequestHandler handler)
{
    if (handler)
        d->m_handlers.insert(method, std::move(handler));
    else
        d->m_handlers.remove(method);
}

int McpClient::pendingCount() const
{
    return static_cast<int>(d->m_pending.size()) - d->m_uncounted;
}

} // namespace Rekindle

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "mcp/internal/toolserver.h"

#include "mcp/server/toolsession_p.h"
#include "mcp/transport/clientlines_p.h"

#include <QPointer>

namespace Rekindle {

class ToolServer::Private
{
public:
    Private(ToolServer *server, int input, int output, Scheduler &scheduler, ServedTools tools)
        : q(server)
        , client(input, output, scheduler)
        , session(std::move(tools))
    {
    }

    void write();
    void endIfDone();

    ToolServer *const q;
    ClientLines client;
    ToolSession session;
    bool isInputEnded = false;
};

ToolServer::ToolServer(int input, int output, Scheduler &scheduler, const QByteArray &title,
                       const QByteArray &definitions, const QStringList &names)
    : d(std::make_unique<Private>(this, input, output, scheduler,
                                  ServedTools{title, definitions, names}))
{
    connect(&d->client, &ClientLines::lines, this, [this](const std::vector<FramedLine> &lines) {
        for (const FramedLine &line : lines)
            d->session.read(line);
        d->write();
        const QPointer<ToolServer> alive(this);
        for (const quint64 call : d->session.takeCancelled())
            Q_EMIT cancelled(call);
        for (const ServedCall &call : d->session.takeCalls()) {
            if (alive)
                Q_EMIT called(call.number, call.tool, call.arguments);
        }
    });
    connect(&d->client, &ClientLines::drained, this, [this] { d->write(); });
    connect(&d->client, &ClientLines::ended, this, [this] {
        d->isInputEnded = true;
        Q_EMIT inputEnded();
        d->endIfDone();
    });
    connect(&d->client, &ClientLines::hungUp, this, [this] {
        if (!d->isInputEnded) // it has left output unread
            Q_EMIT ended({});
    });
    connect(&d->client, &ClientLines::broken, this, &ToolServer::ended);
    connect(&d->client, &ClientLines::finished, this, [this] { Q_EMIT ended({}); });
}

ToolServer::~ToolServer() = default;

void ToolServer::start() { d->client.setPaused(false); }

void ToolServer::answer(quint64 call, const QString &text, bool isError,
                        const QByteArray &structured)
{
    d->session.answer(call, text, isError, structured);
    d->write();
    d->endIfDone();
}

// A client that leaves responses unread is not read from.
void ToolServer::Private::write()
{
    for (const QByteArray &line : session.takeLines())
        client.add(line);
    client.flush();
    if (!isInputEnded)
        client.setPaused(client.isFull());
}

void ToolServer::Private::endIfDone()
{
    if (isInputEnded && session.callCount() == 0)
        client.finish();
}

} // namespace Rekindle

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// A language server that misbehaves on demand. It writes the method of each message to stderr.
// Options: hang-initialize, refuse-initialize, exit-early, ignore-ping, ignore-shutdown,
// ignore-exit.

#include "wire/contentframer_p.h"
#include "wire/errorcodes_p.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStringList>

#include <cstdio>
#include <cstdlib>
#include <unistd.h>

using namespace Rekindle;

namespace {

class Server
{
public:
    explicit Server(QStringList options)
        : m_options(std::move(options))
    {
    }

    int run();

private:
    [[nodiscard]] bool has(const char *option) const
    {
        return m_options.contains(QLatin1String(option));
    }
    static void write(const QByteArray &bytes)
    {
        std::fwrite(bytes.constData(), 1, static_cast<std::size_t>(bytes.size()), stdout);
        std::fflush(stdout);
    }
    static void send(QJsonObject message)
    {
        message.insert(QStringLiteral("jsonrpc"), QStringLiteral("2.0"));
        const QByteArray text = QJsonDocument(message).toJson(QJsonDocument::Compact);
        write(ContentFramer::header(text.size()) + text);
    }
    static void report(const QByteArray &line)
    {
        std::fprintf(stderr, "%s\n", line.constData());
        std::fflush(stderr);
    }
    static void answer(const QJsonValue &id, const QJsonValue &result)
    {
        send({{QStringLiteral("id"), id}, {QStringLiteral("result"), result}});
    }
    static void refuse(const QJsonValue &id, int code, const QString &why)
    {
        send({{QStringLiteral("id"), id},
              {QStringLiteral("error"),
               QJsonObject{{QStringLiteral("code"), code}, {QStringLiteral("message"), why}}}});
    }

    void handle(const QJsonObject &message);
    void handleSession(const QString &method, const QJsonValue &id);
    void handleWork(const QString &method, const QJsonValue &id, const QJsonValue &params);

    const QStringList m_options;
    QJsonValue m_asked; // the request whose answer is the answer of the client
    bool m_isShutDown = false;
};

int Server::run()
{
    ContentFramer framer;
    QByteArray bytes(65536, '\0');
    while (true) {
        const ssize_t count = ::read(STDIN_FILENO, bytes.data(), 65536);
        if (count <= 0)
            break;
        QByteArrayView rest(bytes.constData(), count);
        while (const std::optional<QByteArray> message = framer.addBytes(rest))
            handle(QJsonDocument::fromJson(*message).object());
        if (!framer.fault().isEmpty()) {
            report("fault: " + framer.fault().toUtf8());
            return 2;
        }
    }
    while (has("ignore-exit"))
        ::pause();
    return m_isShutDown ? 0 : 1;
}

void Server::handle(const QJsonObject &message)
{
    const QString method = message.value(QStringLiteral("method")).toString();
    const QJsonValue id = message.value(QStringLiteral("id"));
    if (method.isEmpty()) {
        const QJsonValue result = message.contains(QStringLiteral("result"))
            ? message.value(QStringLiteral("result"))
            : message.value(QStringLiteral("error")).toObject().value(QStringLiteral("code"));
        answer(m_asked, QJsonArray{id, result});
        return;
    }
    report(method.toUtf8());
    handleSession(method, id);
    handleWork(method, id, message.value(QStringLiteral("params")));
}

void Server::handleSession(const QString &method, const QJsonValue &id)
{
    if (method == QLatin1String("initialize")) {
        if (has("exit-early"))
            std::exit(0);
        if (has("refuse-initialize"))
            refuse(id, -32803, QStringLiteral("no workspace"));
        else if (!has("hang-initialize"))
            answer(id,
                   QJsonObject{{QStringLiteral("capabilities"),
                                QJsonObject{{QStringLiteral("hoverProvider"), true}}}});
    } else if (method == QLatin1String("shutdown") && !has("ignore-shutdown")) {
        m_isShutDown = true;
        answer(id, QJsonValue::Null);
    } else if (method == QLatin1String("exit") && !has("ignore-exit")) {
        std::exit(m_isShutDown ? 0 : 1);
    }
}

void Server::handleWork(const QString &method, const QJsonValue &id, const QJsonValue &params)
{
    if (method.startsWith(QLatin1String("$/")) && !id.isUndefined()) {
        if (!has("ignore-ping"))
            refuse(id, ErrorCode::methodNotFound, QStringLiteral("no such method"));
    } else if (method == QLatin1String("echo")) {
        answer(id, params);
    } else if (method == QLatin1String("crash")) {
        std::_Exit(3);
    } else if (method == QLatin1String("garbage")) {
        write("INFO indexing\r\n\r\n");
    } else if (method == QLatin1String("large")) {
        write(ContentFramer::header(1'000'000'000));
    } else if (method == QLatin1String("not-json")) {
        write(ContentFramer::header(5) + "hello");
    } else if (method == QLatin1String("malformed")) {
        send({{QStringLiteral("id"), id}});
    } else if (method == QLatin1String("log")) {
        send({{QStringLiteral("method"), QStringLiteral("window/logMessage")},
              {QStringLiteral("params"),
               QJsonObject{{QStringLiteral("message"), QStringLiteral("hello")}}}});
    } else if (method == QLatin1String("ask")) {
        m_asked = id;
        send({{QStringLiteral("id"), QStringLiteral("s1")},
              {QStringLiteral("method"), params.toArray().at(0)},
              {QStringLiteral("params"), QJsonObject()}});
    }
}

} // namespace

int main(int argc, char *argv[])
{
    QStringList options;
    for (int i = 1; i < argc; ++i)
        options.append(QString::fromLocal8Bit(argv[i]));
    return Server(std::move(options)).run();
}

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// restartserver [MARKER]: an MCP server on stdio, written with Qt, that requests its own restart.
// Its tools are health_check, restart_server and verify_server_restarted. It exits with code 42,
// and the watchdog proxy starts it again:
//
//   rekindle mcp -- restartserver

#include <rekindle/lifecycle/timerscheduler.h>
#include <rekindle/mcp/serverrestart.h>

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSocketNotifier>

#include <unistd.h>

#include <cstdio>

using namespace Rekindle;

namespace {

void send(const QJsonObject &message)
{
    const QByteArray line = QJsonDocument(message).toJson(QJsonDocument::Compact) + '\n';
    std::fwrite(line.constData(), 1, static_cast<std::size_t>(line.size()), stdout);
    std::fflush(stdout);
}

QJsonObject tool(const QString &name, const QString &argument)
{
    const QJsonObject properties{
        {argument, QJsonObject{{QStringLiteral("type"), QStringLiteral("string")}}}};
    QJsonObject schema{{QStringLiteral("type"), QStringLiteral("object")}};
    if (!argument.isEmpty()) {
        schema.insert(QStringLiteral("properties"), properties);
        schema.insert(QStringLiteral("required"), QJsonArray{argument});
    }
    return {{QStringLiteral("name"), name}, {QStringLiteral("inputSchema"), schema}};
}

ServerRestart::Answer call(ServerRestart &restart, const QJsonObject &params)
{
    const QString name = params[QLatin1String("name")].toString();
    const QJsonValue arguments = params[QLatin1String("arguments")];
    if (name == QLatin1String("restart_server"))
        return restart.request(arguments[QLatin1String("reason")].toString());
    if (name == QLatin1String("verify_server_restarted"))
        return restart.verify(arguments[QLatin1String("since_timestamp")].toString());
    if (name == QLatin1String("health_check"))
        return {QStringLiteral("healthy, pid %1").arg(QCoreApplication::applicationPid()), false};
    return {QStringLiteral("Unknown tool: ") + name, true};
}

QJsonObject resultOf(ServerRestart &restart, const QJsonObject &request)
{
    const QString method = request[QLatin1String("method")].toString();
    const QJsonObject params = request[QLatin1String("params")].toObject();
    if (method == QLatin1String("initialize")) {
        return {
            {QStringLiteral("protocolVersion"), params[QLatin1String("protocolVersion")]},
            {QStringLiteral("capabilities"), QJsonObject{{QStringLiteral("tools"), QJsonObject{}}}},
            {QStringLiteral("serverInfo"),
             QJsonObject{{QStringLiteral("name"), QStringLiteral("restartserver")},
                         {QStringLiteral("version"), QStringLiteral("1")}}}};
    }
    if (method == QLatin1String("tools/list")) {
        return {{QStringLiteral("tools"),
                 QJsonArray{tool(QStringLiteral("health_check"), {}),
                            tool(QStringLiteral("restart_server"), QStringLiteral("reason")),
                            tool(QStringLiteral("verify_server_restarted"),
                                 QStringLiteral("since_timestamp"))}}};
    }
    if (method == QLatin1String("tools/call")) {
        const ServerRestart::Answer answer = call(restart, params);
        const QJsonObject text{{QStringLiteral("type"), QStringLiteral("text")},
                               {QStringLiteral("text"), answer.text}};
        return {{QStringLiteral("content"), QJsonArray{text}},
                {QStringLiteral("isError"), answer.isError}};
    }
    return {}; // ping
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    TimerScheduler scheduler;
    ServerRestartOptions options;
    if (argc > 1)
        options.markerFile = QString::fromLocal8Bit(argv[1]);
    ServerRestart restart(scheduler, options);

    QByteArray input;
    QSocketNotifier readable(STDIN_FILENO, QSocketNotifier::Read);
    QObject::connect(&readable, &QSocketNotifier::activated, &application, [&] {
        char block[4096];
        const ssize_t size = ::read(STDIN_FILENO, block, sizeof block);
        if (size <= 0) {
            readable.setEnabled(false);
            QCoreApplication::exit(0); // the client has closed its end
            return;
        }
        input.append(block, size);
        for (qsizetype end = input.indexOf('\n'); end >= 0; end = input.indexOf('\n')) {
            const QJsonObject request = QJsonDocument::fromJson(input.left(end)).object();
            input.remove(0, end + 1);
            if (!request.contains(QLatin1String("id")))
                continue;
            send({{QStringLiteral("jsonrpc"), QStringLiteral("2.0")},
                  {QStringLiteral("id"), request[QLatin1String("id")]},
                  {QStringLiteral("result"), resultOf(restart, request)}});
        }
    });
    return application.exec();
}

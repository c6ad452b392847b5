// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// restartserver [MARKER]: an MCP server on stdio, written with Qt, that requests its own restart
// and retries its own handlers. Its tools are health_check, ask_service, restart_server and
// verify_server_restarted. It exits with code 42, and the watchdog proxy starts it again:
//
//   rekindle mcp -- restartserver

#include <rekindle/lifecycle/timerscheduler.h>
#include <rekindle/mcp/serverrestart.h>
#include <rekindle/mcp/toolcaller.h>

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPromise>
#include <QSocketNotifier>

#include <unistd.h>

#include <cstdio>

using namespace Rekindle;

namespace {

// Fails two of three times, as a service on a network may.
QFuture<McpAnswer> askService(const QString &, const QJsonObject &arguments)
{
    static int attempts = 0;
    McpAnswer answer;
    if (++attempts % 3 != 0)
        answer.error = McpError{.kind = McpError::Kind::Refused,
                                .message = QStringLiteral("the service is overloaded")};
    else
        answer.result = {{QStringLiteral("text"), arguments[QLatin1String("question")]}};
    QPromise<McpAnswer> promise;
    promise.start();
    promise.addResult(answer);
    promise.finish();
    return promise.future();
}

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

QJsonObject toolResult(const QString &text, bool isError)
{
    const QJsonObject content{{QStringLiteral("type"), QStringLiteral("text")},
                              {QStringLiteral("text"), text}};
    return {{QStringLiteral("content"), QJsonArray{content}}, {QStringLiteral("isError"), isError}};
}

QJsonObject resultOf(const ToolCallOutcome &outcome)
{
    if (!outcome.succeeded())
        return toolResult(outcome.result.error->message, true);
    return toolResult(QStringLiteral("%1, after %2 attempts")
                          .arg(outcome.result.result[QLatin1String("text")].toString())
                          .arg(outcome.attempts.size()),
                      false);
}

void respond(const QJsonObject &request, const QJsonObject &result)
{
    send({{QStringLiteral("jsonrpc"), QStringLiteral("2.0")},
          {QStringLiteral("id"), request[QLatin1String("id")]},
          {QStringLiteral("result"), result}});
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
                            tool(QStringLiteral("ask_service"), QStringLiteral("question")),
                            tool(QStringLiteral("restart_server"), QStringLiteral("reason")),
                            tool(QStringLiteral("verify_server_restarted"),
                                 QStringLiteral("since_timestamp"))}}};
    }
    if (method == QLatin1String("tools/call")) {
        const ServerRestart::Answer answer = call(restart, params);
        return toolResult(answer.text, answer.isError);
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

    // Retries a failed handler with backoff, and has a circuit breaker for each tool.
    ToolCaller handlers(QStringLiteral("restartserver"), askService, scheduler,
                        {.retry = CallRetry::Always});

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
            const QJsonValue params = request[QLatin1String("params")];
            const QString name = params[QLatin1String("name")].toString();
            if (name != QLatin1String("ask_service")) {
                respond(request, resultOf(restart, request));
                continue;
            }
            handlers.call(name, params[QLatin1String("arguments")].toObject())
                .then(&application, [request](const ToolCallOutcome &outcome) {
                    respond(request, resultOf(outcome));
                });
        }
    });
    return application.exec();
}

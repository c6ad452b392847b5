// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "editor.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

namespace Rekindle {

namespace {

bool isRunning(qint64 pid)
{
    const QByteArray status = readFile(QStringLiteral("/proc/%1/stat").arg(pid));
    const qsizetype end = status.lastIndexOf(')');
    return end > 0 && status.mid(end + 2, 1) != "Z";
}

QByteArray idOf(const QJsonObject &message)
{
    const QJsonValue id = message[QLatin1String("id")];
    if (id.isString())
        return '"' + id.toString().toUtf8() + '"';
    return id.isDouble() ? QByteArray::number(id.toInteger()) : QByteArray("null");
}

} // namespace

Editor::Editor(const QStringList &options, const QStringList &server)
    : CommandRun(words("mcp") + options + words("--") + server)
{
}

Editor::Editor(const QStringList &options)
    : CommandRun(words("mcp") + options)
{
}

void Editor::send(const QByteArray &line) { write(line + '\n'); }

void Editor::request(const QByteArray &id, const char *method, const QByteArray &params)
{
    QByteArray line = R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + method + '"';
    if (!params.isEmpty())
        line += ",\"params\":" + params;
    send(line + '}');
}

void Editor::call(const QByteArray &id, const char *tool, const QByteArray &arguments)
{
    request(id, "tools/call",
            QByteArray(R"({"name":")") + tool + R"(","arguments":)" + arguments + '}');
}

bool Editor::openSession()
{
    const QJsonObject welcome = ask(
        "\"open\"", "initialize",
        R"({"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"editor","version":"1"}})");
    send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    return welcome.contains(QLatin1String("result"));
}

int Editor::take()
{
    m_rest += readAllStandardOutput();
    for (qsizetype end = m_rest.indexOf('\n'); end >= 0; end = m_rest.indexOf('\n')) {
        const QJsonDocument line = QJsonDocument::fromJson(m_rest.left(end));
        m_rest.remove(0, end + 1);
        if (!line.isObject())
            QTest::qFail("a line is not a message", __FILE__, __LINE__);
        const QJsonObject message = line.object();
        if (message.contains(QLatin1String("method"))) {
            m_notifications.append(message[QLatin1String("method")].toString());
            if (message.contains(QLatin1String("id")))
                m_requestIds.append(idOf(message));
            continue;
        }
        ++m_answerCount;
        m_answers[idOf(message)].append(message);
    }
    return m_answerCount;
}

QJsonObject Editor::answer(const QByteArray &id)
{
    const bool came = waitUntil([&] {
        take();
        return m_answers.contains(id);
    });
    return came ? m_answers[id].constLast() : QJsonObject();
}

QJsonObject Editor::ask(const QByteArray &id, const char *method, const QByteArray &params)
{
    request(id, method, params);
    return answer(id);
}

QJsonObject Editor::use(const QByteArray &id, const char *tool, const QByteArray &arguments)
{
    call(id, tool, arguments);
    return answer(id);
}

qint64 Editor::serverPid() const
{
    const QByteArray children =
        readFile(QStringLiteral("/proc/%1/task/%1/children").arg(processId()));
    for (const QByteArray &child : children.split(' ')) {
        if (child.isEmpty())
            continue;
        const QString program =
            QFile::symLinkTarget(QStringLiteral("/proc/%1/exe").arg(QString::fromUtf8(child)));
        if (program.endsWith(QLatin1String("/mcpserver")))
            return child.toLongLong();
    }
    return 0;
}

qint64 Editor::waitForServer(qint64 old)
{
    qint64 pid = 0;
    const bool came = waitUntil([&] {
        pid = serverPid();
        return pid != 0 && pid != old;
    });
    return came ? pid : 0;
}

QString textOf(const QJsonObject &answer)
{
    return answer[QLatin1String("result")][QLatin1String("content")][0][QLatin1String("text")]
        .toString();
}

QString errorOf(const QJsonObject &answer)
{
    return answer[QLatin1String("error")][QLatin1String("message")].toString();
}

bool waitUntilGone(qint64 pid)
{
    return waitUntil([pid] { return !isRunning(pid); });
}

} // namespace Rekindle

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "contains.h"
#include "gatewaystage.h"
#include "testprogram.h"

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

QByteArray task(const QByteArray &id) { return R"({"taskId":")" + id + R"(","status":"working"})"; }

QByteArray created(const QByteArray &id) { return R"({"task":)" + task(id) + '}'; }

QByteArray aboutTask(const QByteArray &id) { return R"({"taskId":")" + id + R"("})"; }

QString sentTo(int server, const QByteArray &line)
{
    return QStringLiteral("%1 %2").arg(server).arg(QString::fromUtf8(line));
}

// Two servers with the tools `a` and `b`, which list their tasks.
void openTwo(GatewayStage &stage)
{
    stage.openLegacy();
    for (int i = 0; i < 2; ++i) {
        stage.start(i);
        stage.answer(
            i, "initialize",
            R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{},"tasks":{"list":{}}}})");
        const QByteArray name = i == 0 ? "a" : "b";
        stage.answer(i, "tools/list", R"({"tools":[{"name":")" + name + R"("}]})");
    }
    stage.tools("0");
}

// A call of the only tool of a server creates a task. Returns the actions of the response.
QStringList createTask(GatewayStage &stage, int server, const QByteArray &id)
{
    const QByteArray name = server == 0 ? "a" : "b";
    stage.client(request("1", "tools/call", R"({"name":")" + name + R"(","task":{"ttl":60000}})"));
    return stage.server(server, answerTo("1", created(id)));
}

} // namespace

class GatewayTasksTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void declaresTasksToLegacyClients()
    {
        const QString declared =
            QStringLiteral(R"("tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}})");
        GatewayStage legacy(oneName);
        QVERIFY(legacy.openLegacy().front().contains(declared));
        // Servers get no capabilities of a modern client, so they create no tasks of the extension.
        GatewayStage modern(oneName);
        const QByteArray params =
            R"({"taskId":"t","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}})";
        QVERIFY(!only(modern.client(request("1", "server/discover", params)))
                     .contains(QStringLiteral("tasks")));
        const QStringList actions = modern.client(request("2", "tasks/get", params));
        VERIFY_CONTAINS(actions.constLast(), "-32601");
    }

    void routesRequestsToTheServerOfTheTask()
    {
        GatewayStage stage(twoNames);
        openTwo(stage);
        LOG(createTask(stage, 0, "t"), toClient(answerTo("1", created("t"))));
        LOG(createTask(stage, 1, "u"), toClient(answerTo("1", created("u"))));
        for (const char *method : {"tasks/get", "tasks/result", "tasks/cancel"}) {
            const QByteArray first = request("2", method, aboutTask("t"));
            LOG(stage.client(first), sentTo(0, first));
            LOG(stage.server(0, answerTo("2", task("t"))), toClient(answerTo("2", task("t"))));
            const QByteArray second = request("3", method, aboutTask("u"));
            LOG(stage.client(second), sentTo(1, second));
            LOG(stage.server(1, failureOf("3", -32603)), toClient(failureOf("3", -32603)));
        }
        const QByteArray status =
            R"({"jsonrpc":"2.0","method":"notifications/tasks/status","params":)" + task("u") + '}';
        LOG(stage.server(1, status), toClient(status));
    }

    void replacesIdsThatAnEarlierServerUses()
    {
        GatewayStage stage(twoNames);
        openTwo(stage);
        LOG(createTask(stage, 0, "t"), toClient(answerTo("1", created("t"))));
        LOG(createTask(stage, 1, "t"), toClient(answerTo("1", created("two__t"))));
        LOG(createTask(stage, 1, "t"),
            toClient(answerTo("1", created("two__t")))); // its next process
        for (const char *method : {"tasks/get", "tasks/cancel"}) {
            LOG(stage.client(request("2", method, aboutTask("two__t"))),
                sentTo(1, request("2", method, aboutTask("t"))));
            LOG(stage.server(1, answerTo("2", task("t"))), toClient(answerTo("2", task("two__t"))));
            LOG(stage.client(request("3", method, aboutTask("t"))),
                sentTo(0, request("3", method, aboutTask("t"))));
            LOG(stage.server(0, answerTo("3", task("t"))), toClient(answerTo("3", task("t"))));
        }
        const auto related = [](const QByteArray &id) -> QByteArray {
            return R"({"_meta":{"io.modelcontextprotocol/related-task":)" + aboutTask(id) + "}}";
        };
        stage.client(request("4", "tasks/result", aboutTask("two__t")));
        LOG(stage.server(1, answerTo("4", related("t"))),
            toClient(answerTo("4", related("two__t"))));

        const auto status = [](const QByteArray &id) -> QByteArray {
            return R"({"jsonrpc":"2.0","method":"notifications/tasks/status","params":)" + task(id)
                + '}';
        };
        LOG(stage.server(0, status("t")), toClient(status("t")));
        LOG(stage.server(1, status("t")), toClient(status("two__t")));
        const QString asked =
            only(stage.server(1, request("5", "elicitation/create", related("t"))));
        QVERIFY2(asked.endsWith(QString::fromUtf8(related("two__t")) + u'}'), qPrintable(asked));
    }

    void rejectsUnknownTasks()
    {
        GatewayStage stage(twoNames);
        openTwo(stage);
        for (const char *method : {"tasks/get", "tasks/result", "tasks/cancel"}) {
            for (const QByteArray &params : {aboutTask("t"), QByteArray("{}")}) {
                const QString error = only(stage.client(request("1", method, params)));
                QVERIFY2(error.startsWith(u'C') && error.contains(QStringLiteral("-32602")),
                         qPrintable(error));
            }
        }
    }

    void mergesLists()
    {
        GatewayStage stage(twoNames);
        openTwo(stage);
        QCOMPARE(stage.client(request("2", "tasks/list")).size(), 2);
        QVERIFY(stage.answer(1, "tasks/list", R"({"tasks":[)" + task("t") + "]}").isEmpty());
        const QString next = only(stage.answer(
            0, "tasks/list", R"({"tasks":[)" + task("t") + R"(],"nextCursor":"next"})"));
        QVERIFY2(next.startsWith(u'0') && next.contains(QStringLiteral(R"("cursor":"next")")),
                 qPrintable(next));
        LOG(stage.answer(0, "tasks/list", R"({"tasks":[)" + task("u") + "]}"),
            toClient(answerTo(
                "2", R"({"tasks":[)" + task("t") + ',' + task("u") + ',' + task("two__t") + "]}")));
        // Listed tasks are known.
        LOG(stage.client(request("3", "tasks/get", aboutTask("two__t"))),
            sentTo(1, request("3", "tasks/get", aboutTask("t"))));
        const QString error =
            only(stage.client(request("4", "tasks/list", R"({"cursor":"next"})")));
        VERIFY_CONTAINS(error, "-32602");
    }

    void listsWithoutServersThatFailOrDoNotRespond()
    {
        GatewayStage stage(twoNames);
        openTwo(stage);
        const QString empty = toClient(answerTo("1", R"({"tasks":[]})"));
        const QString first = toClient(answerTo("1", R"({"tasks":[)" + task("t") + "]}"));
        const auto list = [&stage] { return stage.client(request("1", "tasks/list")); };
        const auto answer = [&stage](int server) {
            return stage.answer(server, "tasks/list", R"({"tasks":[)" + task("t") + "]}");
        };
        list();
        QVERIFY(answer(0).isEmpty());
        LOG(stage.pass(2s), first);
        QVERIFY(answer(1).isEmpty()); // too late

        list();
        QVERIFY(answer(0).isEmpty());
        stage.end(1);
        LOG(stage.refuse(1, stage.idOf(1, "tasks/list")), QStringLiteral("note"), first);
        QCOMPARE(list().size(), 1); // the other server is not ready
        LOG(answer(0), first);

        stage.start(1);
        stage.replay(1); // without the capability
        QCOMPARE(list().size(), 1);
        QVERIFY(stage.client(cancellationOf("1")).isEmpty());
        QVERIFY(answer(0).isEmpty());

        stage.end(0);
        LOG(list(), empty);
    }

    void recordsALimitedNumberOfTasks()
    {
        GatewayStage stage(twoNames);
        openTwo(stage);
        createTask(stage, 1, "other");
        for (int i = 0; i <= 1000; ++i)
            createTask(stage, 0, QByteArray::number(i));
        QCOMPARE(stage.receiver("2", "tasks/get", aboutTask("0")), text("C"));
        QCOMPARE(stage.receiver("3", "tasks/get", aboutTask("1")), text("0"));
        QCOMPARE(stage.receiver("4", "tasks/get", aboutTask("other")), text("1"));
    }
};

REKINDLE_TEST(GatewayTasksTest)
#include "gatewaytaskstest.moc"

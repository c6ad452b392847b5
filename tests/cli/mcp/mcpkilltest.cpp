// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "editor.h"
#include "testprogram.h"

#include <algorithm>
#include <csignal>
#include <random>

using namespace Rekindle;

// The server is killed at random times with sixteen calls in flight. The next kill follows after a
// number of responses, independent of time.
class McpKillTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyRequestGetsExactlyOneAnswer();

private:
    void makeCall(Editor &editor);

    static constexpr int kills = 50;
    static constexpr int inFlight = 16;

    QTemporaryDir m_folder;
    std::mt19937 m_random{42};
    int m_calls = 0;
    QHash<QByteArray, QByteArray> m_tools; ///< by the ids of the calls
};

// Numbers and texts alternate, so that 7 and "7" are both used.
void McpKillTest::makeCall(Editor &editor)
{
    const int number = m_calls++;
    const QByteArray text = QByteArray::number(number / 2);
    const QByteArray id = number % 2 == 0 ? text : '"' + text + '"';
    switch (m_random() % 4) {
    case 0:
        m_tools[id] = "count";
        editor.call(id, "count",
                    R"({"file":")" + m_folder.filePath(QStringLiteral("count")).toUtf8()
                        + R"(","line":"line )" + QByteArray::number(number) + R"("})");
        return;
    case 1:
        m_tools[id] = "rest";
        editor.call(id, "rest", R"({"ms":)" + QByteArray::number(int(m_random() % 40)) + '}');
        return;
    default:
        m_tools[id] = "lookup";
        editor.call(id, "lookup", R"({"message":"m)" + text + R"("})");
        return;
    }
}

void McpKillTest::everyRequestGetsExactlyOneAnswer()
{
    // Stable when ready: otherwise, the policy would delay the restarts.
    Editor editor(words("--quiet", "--stable-after", "0s", "--marker",
                        m_folder.filePath(QStringLiteral("marker"))),
                  words(REKINDLE_MCPSERVER));
    QVERIFY(editor.beginSession());
    QVERIFY(editor.ask("\"list\"", "tools/list").contains(QLatin1String("result")));
    const int before = editor.take();

    // A call in flight at one kill gets its response before the next one, so that no call needs
    // more attempts than the proxy makes.
    QSet<QByteArray> hit;
    const auto isAnswered = [&](const QByteArray &id) { return editor.answers().contains(id); };
    qint64 server = 0;
    for (int kill = 0; kill < kills; ++kill) {
        const qint64 next = editor.waitForServer(server);
        QVERIFY(next != 0);
        server = next;
        // If the server had not become ready, the policy would delay the restart.
        const int until = editor.take() + 1 + static_cast<int>(m_random() % 40);
        const bool worked = waitUntil([&] {
            const int answered = editor.take() - before;
            while (m_calls - answered < inFlight)
                makeCall(editor);
            return editor.take() >= until && std::all_of(hit.begin(), hit.end(), isAnswered);
        });
        QVERIFY2(worked, qPrintable(QStringLiteral("after %1 kills").arg(kill)));
        ::kill(static_cast<pid_t>(server), SIGKILL);
        hit.clear();
        for (auto call = m_tools.cbegin(); call != m_tools.cend(); ++call) {
            if (!isAnswered(call.key()))
                hit.insert(call.key());
        }
    }
    QVERIFY(waitUntil([&] { return editor.take() - before >= m_calls; }));
    // A second response would have arrived by now.
    QVERIFY(editor.ask("\"last\"", "tools/list").contains(QLatin1String("result")));

    int errors = 0;
    const QByteArray counted = readFile(m_folder.filePath(QStringLiteral("count")));
    for (auto call = m_tools.cbegin(); call != m_tools.cend(); ++call) {
        const QList<QJsonObject> answers = editor.answers().value(call.key());
        QCOMPARE(answers.size(), 1);
        const bool isError = answers.constFirst().contains(QLatin1String("error"));
        errors += isError ? 1 : 0;
        QVERIFY2(!isError || call.value() == "count",
                 qPrintable(QString::fromUtf8(call.key() + ' ' + call.value())));
    }
    QCOMPARE(editor.take() - before, m_calls + 1);
    const QList<QByteArray> written = counted.trimmed().split('\n');
    QCOMPARE(QSet<QByteArray>(written.begin(), written.end()).size(), written.size());
    qInfo("%d calls, %d errors of a tool that may not be done twice", m_calls, errors);

    QCOMPARE(editor.endInput(), 0);
}

REKINDLE_TEST(McpKillTest)
#include "mcpkilltest.moc"

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// Another thread of the host waits for all children. Exit statuses are true or unknown.

#include "process/agentlog.h"
#include "testprogram.h"

#include <sys/wait.h>

#include <atomic>
#include <cerrno>
#include <thread>

using namespace Rekindle;

class StolenChildTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void reportsUnknownOrTrueStatus()
    {
        std::atomic<bool> done = false;
        std::atomic<int> stolen = 0;
        std::thread thief([&] {
            while (!done) {
                if (::waitpid(-1, nullptr, 0) > 0)
                    ++stolen;
                else
                    std::this_thread::yield();
            }
        });
        for (int i = 0; i < 20; ++i) {
            AgentLog log(chaos("exit 3"));
            QVERIFY(log.run());
            if (log.entries.last() == QStringLiteral("failed Unknown"))
                QVERIFY(log.failure.detail.message.contains(u"waits for all children"));
            else
                QCOMPARE(log.failure.detail.exitCode, 3);
        }
        // The guard is not a child of the host, so waiting for all children returns.
        done = true;
        thief.join();
        QVERIFY(stolen > 0);
    }
};

REKINDLE_TEST(StolenChildTest)
#include "stolenchildtest.moc"

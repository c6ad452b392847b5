// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// A host that has reached fs.epoll.max_user_watches.

#include "process/agentlog.h"
#include "processes.h"
#include "testprogram.h"

#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

using namespace Rekindle;

namespace {
int watchesLeft = -1; // -1: unlimited
}

// Replaces the function of the C library, also for the library under test.
extern "C" int epoll_ctl(int epoll, int operation, int fd, epoll_event *event) noexcept
{
    if (operation == EPOLL_CTL_ADD && watchesLeft >= 0 && watchesLeft-- == 0) {
        watchesLeft = 0;
        errno = ENOSPC;
        return -1;
    }
    return static_cast<int>(::syscall(SYS_epoll_ctl, epoll, operation, fd, event));
}

class WatchLimitTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // The process, two streams and the notify socket are all required.
    void missingWatchesAreResourceExhaustion()
    {
        ProcessDefinition definition = chaos("notify READY=1 hang");
        definition.readiness.kind = Readiness::Kind::Notify;
        AgentLog log(definition);
        for (int watches = 0; watches < 4; ++watches) {
            watchesLeft = watches;
            log.agent.start();
            watchesLeft = -1;
            QVERIFY2(!log.agent.isAlive(), qPrintable(QString::number(watches)));
            QCOMPARE(log.entries, QStringList{QStringLiteral("failed ResourceExhaustion")});
            QVERIFY(log.failure.detail.message.startsWith(
                QLatin1String("Process cannot be started: ")));
            QVERIFY(!log.failure.detail.permanent);
            log.entries.clear();
        }
        watchesLeft = 4;
        log.agent.start();
        watchesLeft = -1;
        QVERIFY(log.waitFor(QStringLiteral("ready")));
    }
};

REKINDLE_TEST(WatchLimitTest)
#include "watchlimittest.moc"

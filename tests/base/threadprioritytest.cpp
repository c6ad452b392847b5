// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"

#include "base/processes/threadpriority_p.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

using namespace Rekindle;

class ThreadPriorityTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void lowersOnlyTheCallingThread();

private:
    static int niceness()
    {
        return ::getpriority(PRIO_PROCESS, static_cast<id_t>(::syscall(SYS_gettid)));
    }
};

void ThreadPriorityTest::lowersOnlyTheCallingThread()
{
    constexpr int lowest = 19;
    const int before = niceness();
    int inThread = before;
    std::thread([&inThread] {
        lowerPriorityOfThisThread();
        inThread = niceness();
    }).join();
    QCOMPARE(inThread, std::min(before + 5, lowest));
    QCOMPARE(niceness(), before);
}

REKINDLE_TEST(ThreadPriorityTest)
#include "threadprioritytest.moc"

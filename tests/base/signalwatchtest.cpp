// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/signalwatch_p.h"
#include "testprogram.h"

#include <csignal>
#include <thread>

using namespace Rekindle;

namespace {

bool isDefault(int number)
{
    struct sigaction action{};
    ::sigaction(number, nullptr, &action);
    return action.sa_handler == SIG_DFL;
}

} // namespace

class SignalWatchTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void receivesSignals();
    void receivesSignalsOfOtherThreads();
    void readsWithoutEventLoop();
    void everyWatchReceivesTheSignal();
    void restoresTheHandler();
    void ignoredSignalStaysIgnored();
    void unblocksItsSignals();
};

void SignalWatchTest::receivesSignals()
{
    const SignalWatch watch({SIGUSR1, SIGTERM});
    QSignalSpy received(&watch, &SignalWatch::received);
    std::raise(SIGTERM);
    std::raise(SIGUSR1);
    QTRY_COMPARE_WITH_TIMEOUT(received.count(), 2, 30'000);
    QCOMPARE(received[0][0].toInt(), SIGTERM);
    QCOMPARE(received[1][0].toInt(), SIGUSR1);
}

// A graphical application has threads before its first own line of code.
void SignalWatchTest::receivesSignalsOfOtherThreads()
{
    const SignalWatch watch({SIGTERM});
    QSignalSpy received(&watch, &SignalWatch::received);
    std::thread other([] { ::pthread_kill(::pthread_self(), SIGTERM); });
    other.join();
    QTRY_COMPARE_WITH_TIMEOUT(received.count(), 1, 30'000);
}

void SignalWatchTest::readsWithoutEventLoop()
{
    SignalWatch watch({SIGTERM});
    QSignalSpy received(&watch, &SignalWatch::received);
    std::raise(SIGTERM);
    QCOMPARE(received.count(), 0);
    watch.read();
    QCOMPARE(received.count(), 1);
}

void SignalWatchTest::everyWatchReceivesTheSignal()
{
    SignalWatch first({SIGTERM});
    QSignalSpy received(&first, &SignalWatch::received);
    {
        SignalWatch second({SIGTERM});
        QSignalSpy also(&second, &SignalWatch::received);
        std::raise(SIGTERM);
        second.read();
        QCOMPARE(also.count(), 1);
    }
    std::raise(SIGTERM);
    first.read();
    QCOMPARE(received.count(), 2);
}

void SignalWatchTest::restoresTheHandler()
{
    {
        const SignalWatch watch({SIGUSR1});
        QVERIFY(!isDefault(SIGUSR1));
    }
    QVERIFY(isDefault(SIGUSR1));
    SignalWatch next({SIGUSR1}); // reuses the pipe
    QSignalSpy received(&next, &SignalWatch::received);
    next.read();
    QCOMPARE(received.count(), 0);
}

void SignalWatchTest::ignoredSignalStaysIgnored()
{
    std::signal(SIGHUP, SIG_IGN);
    SignalWatch watch({SIGHUP});
    QSignalSpy received(&watch, &SignalWatch::received);
    std::raise(SIGHUP);
    watch.read();
    QCOMPARE(received.count(), 0);
    std::signal(SIGHUP, SIG_DFL);
}

// The program that started this one may have blocked them.
void SignalWatchTest::unblocksItsSignals()
{
    sigset_t blocked;
    ::sigemptyset(&blocked);
    ::sigaddset(&blocked, SIGUSR1);
    ::pthread_sigmask(SIG_BLOCK, &blocked, nullptr);
    SignalWatch watch({SIGUSR1});
    QSignalSpy received(&watch, &SignalWatch::received);
    std::raise(SIGUSR1);
    watch.read();
    QCOMPARE(received.count(), 1);
}

REKINDLE_TEST(SignalWatchTest)
#include "signalwatchtest.moc"

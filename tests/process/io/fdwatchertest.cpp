// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "process/io/fdwatcher_p.h"
#include "testprogram.h"

#include <fcntl.h>

#include <array>
#include <cerrno>
#include <functional>

using namespace Rekindle;

namespace {

struct Pipe
{
    Pipe()
    {
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0)
            qFatal("no pipe");
        reading.reset(ends[0]);
        writing.reset(ends[1]);
    }
    void fill() const { QCOMPARE(::write(writing.get(), "x", 1), 1); }

    UniqueFd reading;
    UniqueFd writing;
};

struct Listener : FdListener
{
    void fdReady(int fd) override
    {
        events.push_back(fd);
        if (const auto copy = act)
            copy(fd);
    }

    QList<int> events;
    std::function<void(int)> act;
};

} // namespace

class FdWatcherTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void existsOncePerThreadWhileReferenced()
    {
        std::shared_ptr<FdWatcher> watcher = FdWatcher::ofThisThread();
        QCOMPARE(FdWatcher::ofThisThread(), watcher);
        const std::weak_ptr<FdWatcher> weak = watcher;
        watcher.reset();
        QVERIFY(weak.expired());
    }

    void reportsReadyDescriptors()
    {
        const auto watcher = FdWatcher::ofThisThread();
        Pipe quiet;
        Pipe ready;
        Listener listener;
        listener.act = [&](int fd) { watcher->remove(fd); };
        QCOMPARE(watcher->add(quiet.reading.get(), FdWatcher::Direction::Read, listener), 0);
        QCOMPARE(watcher->add(ready.reading.get(), FdWatcher::Direction::Read, listener), 0);
        ready.fill();
        QTRY_COMPARE_WITH_TIMEOUT(listener.events, QList<int>{ready.reading.get()}, 30000);
        watcher->remove(quiet.reading.get());
    }

    void reportsHangUp()
    {
        const auto watcher = FdWatcher::ofThisThread();
        Pipe pipe;
        Listener listener;
        listener.act = [&](int fd) { watcher->remove(fd); };
        QCOMPARE(watcher->add(pipe.reading.get(), FdWatcher::Direction::Read, listener), 0);
        pipe.writing.reset();
        QTRY_COMPARE_WITH_TIMEOUT(listener.events.size(), 1, 30000);
    }

    void rejectsUnwatchableDescriptor()
    {
        const auto watcher = FdWatcher::ofThisThread();
        Listener listener;
        Pipe pipe;
        const int closed = pipe.reading.release();
        ::close(closed);
        QCOMPARE(watcher->add(closed, FdWatcher::Direction::Read, listener), EBADF);
        QCOMPARE(watcher->add(-1, FdWatcher::Direction::Read, listener), EBADF);
    }

    // Two descriptors are ready, and the first listener removes the other one.
    void reportsNothingAfterRemoval()
    {
        const auto watcher = FdWatcher::ofThisThread();
        Pipe first;
        Pipe second;
        Listener listener;
        listener.act = [&](int) {
            watcher->remove(first.reading.get());
            watcher->remove(second.reading.get());
        };
        QCOMPARE(watcher->add(first.reading.get(), FdWatcher::Direction::Read, listener), 0);
        QCOMPARE(watcher->add(second.reading.get(), FdWatcher::Direction::Read, listener), 0);
        first.fill();
        second.fill();
        QTRY_COMPARE_WITH_TIMEOUT(listener.events.size(), 1, 30000);
        QCoreApplication::processEvents();
        QCOMPARE(listener.events.size(), 1);
    }

    // Both are always ready, and each takes longer than an activation may take.
    void slowListenerDelaysNoOther()
    {
        const auto watcher = FdWatcher::ofThisThread();
        Pipe first;
        Pipe second;
        Listener listener;
        listener.act = [](int) {
            QElapsedTimer busy;
            for (busy.start(); !busy.hasExpired(6);) {
            }
        };
        QCOMPARE(watcher->add(first.reading.get(), FdWatcher::Direction::Read, listener), 0);
        QCOMPARE(watcher->add(second.reading.get(), FdWatcher::Direction::Read, listener), 0);
        first.fill();
        second.fill();
        QTRY_VERIFY_WITH_TIMEOUT(listener.events.size() >= 6, 30000);
        QVERIFY(listener.events.contains(first.reading.get()));
        QVERIFY(listener.events.contains(second.reading.get()));
        watcher->remove(first.reading.get());
        watcher->remove(second.reading.get());
    }

    // A new descriptor gets the number of a removed one.
    void ignoresEventsOfEarlierDescriptorWithSameNumber()
    {
        const auto watcher = FdWatcher::ofThisThread();
        Pipe first;
        Pipe second;
        Pipe later;
        Listener old;
        Listener fresh;
        old.act = [&](int fd) {
            old.act = nullptr;
            Pipe &other = fd == first.reading.get() ? second : first;
            watcher->remove(fd);
            watcher->remove(other.reading.get());
            ::dup2(later.reading.get(), other.reading.get());
            watcher->add(other.reading.get(), FdWatcher::Direction::Read, fresh);
        };
        QCOMPARE(watcher->add(first.reading.get(), FdWatcher::Direction::Read, old), 0);
        QCOMPARE(watcher->add(second.reading.get(), FdWatcher::Direction::Read, old), 0);
        first.fill();
        second.fill();
        QTRY_COMPARE_WITH_TIMEOUT(old.events.size(), 1, 30000);
        QCoreApplication::processEvents();
        QVERIFY(fresh.events.isEmpty());
        fresh.act = [&](int fd) { watcher->remove(fd); };
        later.fill();
        QTRY_COMPARE_WITH_TIMEOUT(fresh.events.size(), 1, 30000);
    }

    void listenerMayReleaseLastReference()
    {
        auto watcher = FdWatcher::ofThisThread();
        Pipe pipe;
        Listener listener;
        listener.act = [&](int fd) {
            watcher->remove(fd);
            watcher.reset();
        };
        QCOMPARE(watcher->add(pipe.reading.get(), FdWatcher::Direction::Read, listener), 0);
        pipe.fill();
        QTRY_COMPARE_WITH_TIMEOUT(listener.events.size(), 1, 30000);
        QVERIFY(!watcher);
    }
};

REKINDLE_TEST(FdWatcherTest)
#include "fdwatchertest.moc"

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "workerthread_p.h"

#include "workerbarrier_p.h"

#include <QCoreApplication>

#include <algorithm>

namespace Rekindle {

namespace {

// Lives in the worker's thread and answers as soon as its event loop gets to it.
class Pulse : public QObject
{
public:
    explicit Pulse(WorkerRun &run)
        : m_run(run)
    {
        m_run.setPulse(this);
    }
    ~Pulse() override { m_run.setPulse(nullptr); }
    Q_DISABLE_COPY_MOVE(Pulse)

protected:
    void customEvent(QEvent *) override { m_run.answerPing(); }

private:
    WorkerRun &m_run;
};

// Tells the end of the thread as the last of its thread-local objects, which is after the event
// dispatcher is gone and all that was deleted later.
struct EndNotice
{
    EndNotice() = default;
    ~EndNotice()
    {
        if (run)
            run->threadEnds();
    }
    Q_DISABLE_COPY_MOVE(EndNotice)

    std::shared_ptr<WorkerRun> run;
};

struct SetAside
{
    std::unique_ptr<WorkerThread> thread;
    std::shared_ptr<WorkerRun> run;
    bool isHung = false;
};

struct Stranded
{
    std::mutex mutex;
    std::vector<SetAside> threads;
    bool waitsAtExit = false;

    // The mutex is held. Their code has run to its end, so that this does not wait.
    void removeEnded()
    {
        std::erase_if(threads, [](const SetAside &each) { return each.run->hasEnded(); });
    }
};

// Never destroyed: threads may still be there when the program ends.
Stranded &strandedThreads()
{
    static auto *const stranded = new Stranded;
    return *stranded;
}

constexpr std::chrono::seconds waitAtExit(1);

void waitForResponsive()
{
    Stranded &stranded = strandedThreads();
    std::vector<std::shared_ptr<WorkerRun>> runs;
    {
        const std::scoped_lock lock(stranded.mutex);
        stranded.waitsAtExit = false;
        for (const SetAside &each : stranded.threads) {
            if (!each.isHung)
                runs.push_back(each.run);
        }
    }
    const auto end = std::chrono::steady_clock::now() + waitAtExit;
    for (const std::shared_ptr<WorkerRun> &run : runs)
        run->waitUntilEnded(end);
}

std::unique_ptr<QObject> make(WorkerRun &run, const WorkerContext &context)
{
    try {
        std::unique_ptr<QObject> object = run.factory()(context);
        if (!object) {
            run.fail(FailureReason::InitializationFailed,
                     QStringLiteral("the factory made no worker"));
        }
        return object;
    } catch (...) {
        run.fail(FailureReason::InitializationFailed, exceptionText());
        return nullptr;
    }
}

} // namespace

WorkerThread::WorkerThread(std::shared_ptr<WorkerRun> run)
    : m_run(std::move(run))
{
}

void WorkerThread::run()
{
    static thread_local EndNotice notice;
    notice.run = m_run;
    work(*notice.run);
}

void WorkerThread::work(WorkerRun &run)
{
    const Pulse pulse(run);
    const WorkerContext context(m_run);
    const std::unique_ptr<QObject> object = make(run, context);
    if (!object)
        return;
    run.report({.kind = WorkerReport::Kind::Constructed});
    const auto onException = [&run] {
        run.fail(FailureReason::UnhandledException, exceptionText());
    };
    const WorkerBarrier barrier(*this, onException);
    try {
        exec();
    } catch (...) {
        // From outside of any event, for example from a slot of the event dispatcher's signals.
        onException();
    }
}

void WorkerThread::setAside(std::unique_ptr<WorkerThread> thread, bool isHung)
{
    Stranded &stranded = strandedThreads();
    const std::scoped_lock lock(stranded.mutex);
    stranded.removeEnded();
    // The thread that it lives in may end before it.
    thread->moveToThread(nullptr);
    const std::shared_ptr<WorkerRun> run = thread->m_run;
    stranded.threads.push_back({std::move(thread), run, isHung});
    if (!isHung && !std::exchange(stranded.waitsAtExit, true))
        qAddPostRoutine(waitForResponsive);
}

int WorkerThread::stranded()
{
    Stranded &stranded = strandedThreads();
    const std::scoped_lock lock(stranded.mutex);
    stranded.removeEnded();
    return static_cast<int>(stranded.threads.size());
}

WorkerContext::WorkerContext(std::shared_ptr<WorkerRun> run)
    : m_run(std::move(run))
{
}

void WorkerContext::ready() const { m_run->report({.kind = WorkerReport::Kind::Ready}); }

void WorkerContext::fail(FailureReason reason, const QString &message) const
{
    m_run->fail(reason, message);
}

void WorkerContext::requestRestart(const QString &reason) const
{
    m_run->report({.kind = WorkerReport::Kind::RestartRequested, .text = reason});
}

bool WorkerContext::stopRequested() const noexcept { return m_run->stopRequested(); }

} // namespace Rekindle

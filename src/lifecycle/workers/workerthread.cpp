// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "workerthread_p.h"

#include "workerbarrier_p.h"

#include <utility>

namespace Rekindle {

namespace {

// Lives in the worker's thread and answers heartbeat requests from its event loop.
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
    void customEvent(QEvent *) override { m_run.answerHeartbeat(); }

private:
    WorkerRun &m_run;
};

// Reports the end of the thread. As the last of its thread-local objects, it is destroyed after the
// event dispatcher and after all deferred deletions.
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

std::unique_ptr<QObject> make(const WorkerFactory &factory, WorkerRun &run,
                              const WorkerContext &context)
{
    try {
        std::unique_ptr<QObject> object = factory(context);
        if (!object) {
            run.fail(FailureReason::InitializationFailed,
                     QStringLiteral("the factory returned no worker"));
        }
        return object;
    } catch (...) {
        run.fail(FailureReason::InitializationFailed, exceptionText());
        return nullptr;
    }
}

} // namespace

WorkerThread::WorkerThread(WorkerFactory factory, std::shared_ptr<WorkerRun> run)
    : m_factory(std::move(factory))
    , m_run(std::move(run))
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
    const std::unique_ptr<QObject> object = make(std::exchange(m_factory, {}), run, context);
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
        // Thrown outside of events, for example in a slot of a signal of the event dispatcher.
        onException();
    }
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

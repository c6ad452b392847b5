// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "callerstage.h"

#include "properties.h"
#include "testprogram.h"

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

/// Performs calls, answers, losses and waits in any order, and checks the invariants.
class CallerWorld
{
public:
    CallerWorld(std::uint32_t seed, CallRetry retry)
        : m_retry(retry)
        , m_stage(optionsFrom(retry))
    {
        m_stage.backend->onDemand = seed % 2 == 0;
        ToolCaller *const caller = m_stage.caller.get();
        QObject::connect(
            caller, &ToolCaller::attemptStarted, caller,
            [this](quint64 id, const QString &tool, int attempt) { begun(id, tool, attempt); });
        QObject::connect(caller, &ToolCaller::breakerStateChanged, caller,
                         [this](const QString &tool, CircuitBreakerState, CircuitBreakerState) {
                             m_probes.remove(tool);
                         });
        QObject::connect(caller, &ToolCaller::callFinished, caller,
                         [this](const ToolCallFinished &call) { finished(call); });
    }

    void step(std::uint32_t number)
    {
        const std::uint32_t value = number / 16;
        ScriptedChannel &channel = m_stage.channel();
        switch (number % 16) {
        case 0:
        case 1:
        case 2:
        case 3:
            call(value);
            break;
        case 4:
        case 5:
            answer(value, [&](qint64 id) { channel.answer(id, "{\"content\":[]}"); });
            break;
        case 6:
            answer(value, [&](qint64 id) { channel.answer(id, "{\"isError\":true}"); });
            break;
        case 7:
        case 8:
            answer(value, [&](qint64 id) { channel.refuse(id, -32603); });
            break;
        case 9:
            answer(value, [&](qint64 id) { channel.refuse(id, -32602); });
            break;
        case 10:
            lose();
            break;
        case 11:
            if (!channel.open)
                m_stage.backend->comeUp();
            break;
        case 12:
            if (!channel.open)
                m_stage.backend->failToCome({});
            break;
        case 13:
            if (!m_futures.isEmpty())
                m_futures[value % m_futures.size()].cancel();
            break;
        case 14:
            channel.writes = !channel.writes;
            break;
        default:
            m_stage.advance(
                std::chrono::milliseconds(value % 3 == 0 ? value % 20'000 : value % 300));
            break;
        }
        m_stage.settle();
        check();
    }

    void finish()
    {
        m_stage.advance(2min);
        check();
        if (m_ended.size() != m_calls.size())
            fail(QStringLiteral("not every call has ended"));
        for (const QFuture<ToolCallOutcome> &future : std::as_const(m_futures)) {
            if (!future.isFinished() || (future.resultCount() != 1 && !future.isCanceled()))
                fail(QStringLiteral("a future has no outcome"));
        }
        lose(); // drops what was not written
        QHash<int, int> read;
        for (qsizetype i = 0; i < m_stage.channel().sent.size(); ++i) {
            const QJsonObject &sent = m_stage.channel().sent[i];
            const QJsonObject params = sent.value(QLatin1String("params")).toObject();
            const bool isCall = sent.value(QLatin1String("method")) == QLatin1String("tools/call")
                && params.value(QLatin1String("name")) == QLatin1String("writes");
            const QJsonObject arguments = params.value(QLatin1String("arguments")).toObject();
            if (isCall && !m_dropped.contains(i))
                ++read[arguments.value(QLatin1String("n")).toInt()];
        }
        if (m_retry != CallRetry::Always
            && std::any_of(read.begin(), read.end(), [](int times) { return times > 1; }))
            fail(QStringLiteral("an unsafe call was read twice"));
    }

    [[nodiscard]] QString fault() const { return m_fault; }
    [[nodiscard]] const QHash<QString, int> &ends() const { return m_endCounts; }
    [[nodiscard]] int opened() const { return m_opened; }
    [[nodiscard]] int retried() const { return m_retried; }

private:
    struct Call
    {
        Instant end{};
        int attempts = 0;
    };

    static ToolCallerOptions optionsFrom(CallRetry retry)
    {
        ToolCallerOptions options;
        options.retry = retry;
        options.deadline = 60s;
        options.attemptTimeout = 10s;
        options.random = [draw = 0]() mutable { return (++draw % 10) / 10.0; };
        return options;
    }

    void fail(const QString &what)
    {
        if (m_fault.isEmpty())
            m_fault = what;
    }

    void call(std::uint32_t value)
    {
        static const char *const names[] = {"writes", "reads", "sets"};
        ToolCallOptions options;
        const Duration deadline = std::chrono::milliseconds(1 + value % 40'000);
        if (value % 2 == 0)
            options.deadline = deadline;
        const quint64 id = static_cast<quint64>(m_calls.size()) + 1;
        m_calls.insert(id, {m_stage.scheduler.now() + options.deadline.value_or(60s), 0});
        m_futures.push_back(m_stage.caller->call(QString::fromLatin1(names[value % 3]),
                                                 {{QLatin1String("n"), static_cast<int>(id)}},
                                                 options));
    }

    template<typename Answer>
    void answer(std::uint32_t value, const Answer &how)
    {
        ScriptedChannel &channel = m_stage.channel();
        if (!channel.open || channel.sent.isEmpty())
            return;
        // One of the latest requests, answered or not
        const qsizetype back = value % qMin<qsizetype>(12, channel.sent.size());
        const QJsonObject request = channel.sent[channel.sent.size() - 1 - back];
        if (request.value(QLatin1String("method")) == QLatin1String("tools/call"))
            how(request.value(QLatin1String("id")).toInteger());
    }

    void lose()
    {
        ScriptedChannel &channel = m_stage.channel();
        for (qsizetype i = m_lostThrough; i < channel.sent.size(); ++i) {
            if (i >= channel.written)
                m_dropped.insert(i);
        }
        m_lostThrough = channel.sent.size();
        if (channel.open)
            channel.lose(QStringLiteral("it died"));
    }

    void begun(quint64 id, const QString &tool, int attempt)
    {
        Call &call = m_calls[id];
        if (attempt != ++call.attempts)
            fail(QStringLiteral("attempts are counted wrongly"));
        if (attempt > 4 + (m_stage.backend->onDemand ? 1 : 0))
            fail(QStringLiteral("too many attempts"));
        if (m_ended.contains(id))
            fail(QStringLiteral("an attempt after the end"));
        m_retried += attempt > 1 ? 1 : 0;
        const CircuitBreakerState state = m_stage.caller->breaker(tool).state;
        if (state == CircuitBreakerState::Open)
            fail(QStringLiteral("an attempt while the breaker is open"));
        if (state == CircuitBreakerState::HalfOpen) {
            if (m_probes.value(tool, id) != id)
                fail(QStringLiteral("two calls while the breaker is half-open"));
            m_probes.insert(tool, id);
        }
    }

    void finished(const ToolCallFinished &call)
    {
        ++m_endCounts[toText(call.end)];
        m_opened += call.breakerOpened ? 1 : 0;
        if (call.sequence != ++m_sequence)
            fail(QStringLiteral("calls are numbered wrongly"));
        Duration before{0};
        for (const ToolCallAttempt &attempt : call.attempts) {
            if (attempt.begun < before + attempt.delay)
                fail(QStringLiteral("an attempt before its time"));
            before = attempt.begun + attempt.duration;
        }
        if (before > call.duration)
            fail(QStringLiteral("attempts are longer than their call"));
        if (m_ended.contains(call.call) || !m_calls.contains(call.call))
            fail(QStringLiteral("a call has ended twice"));
        m_ended.insert(call.call);
    }

    [[nodiscard]] bool hasEnded(quint64 id) const
    {
        const qsizetype index = static_cast<qsizetype>(id) - 1;
        return index < m_futures.size() && m_futures[index].isFinished();
    }

    void check()
    {
        for (auto each = m_calls.begin(); each != m_calls.end(); ++each) {
            if (hasEnded(each.key()) != m_ended.contains(each.key()))
                fail(QStringLiteral("a future and the signals of its call differ"));
            else if (!hasEnded(each.key()) && m_stage.scheduler.now() >= each->end)
                fail(QStringLiteral("a call outlives its deadline"));
        }
    }

    const CallRetry m_retry;
    CallerStage m_stage;
    QMap<quint64, Call> m_calls;
    QList<QFuture<ToolCallOutcome>> m_futures;
    QSet<quint64> m_ended;
    QHash<QString, quint64> m_probes;
    QHash<QString, int> m_endCounts;
    QSet<qsizetype> m_dropped;
    qsizetype m_lostThrough = 0;
    quint64 m_sequence = 0;
    int m_opened = 0;
    int m_retried = 0;
    QString m_fault;
};

CallRetry retryOf(std::uint32_t seed)
{
    return std::array{CallRetry::Safe, CallRetry::Always, CallRetry::Never}[seed / 2 % 3];
}

} // namespace

class ToolCallerModelTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachCallEndsOnceInTime();
    void tracesReachAllEnds();
};

void ToolCallerModelTest::eachCallEndsOnceInTime()
{
    verifyTraces("each call ends once, in time, within its number of attempts", 1000, 200,
                 [](std::uint32_t seed) { return CallerWorld(seed, retryOf(seed)); });
}

// Checks that random traces reach all ends, so that the property above is meaningful.
void ToolCallerModelTest::tracesReachAllEnds()
{
    QHash<QString, int> ends;
    int opened = 0;
    int retried = 0;
    std::uint32_t random = 1;
    for (std::uint32_t run = 0; run < 60; ++run) {
        CallerWorld world(run, retryOf(run));
        for (int i = 0; i < 500; ++i) {
            random = random * 1664525U + 1013904223U;
            world.step(random >> 4U);
            QVERIFY2(world.fault().isEmpty(), qPrintable(world.fault()));
        }
        world.finish();
        QVERIFY2(world.fault().isEmpty(), qPrintable(world.fault()));
        for (auto end = world.ends().begin(); end != world.ends().end(); ++end)
            ends[end.key()] += end.value();
        opened += world.opened();
        retried += world.retried();
    }
    for (const ToolCallEnd end :
         {ToolCallEnd::Answered, ToolCallEnd::AttemptsExhausted, ToolCallEnd::DeadlineExceeded,
          ToolCallEnd::NotRetryable, ToolCallEnd::BreakerOpen, ToolCallEnd::Cancelled})
        QVERIFY2(ends.value(toText(end)) > 50, qPrintable(toText(end)));
    QVERIFY2(opened > 20, qPrintable(QString::number(opened)));
    QVERIFY2(retried > 500, qPrintable(QString::number(retried)));
}

REKINDLE_TEST(ToolCallerModelTest)
#include "toolcallermodeltest.moc"

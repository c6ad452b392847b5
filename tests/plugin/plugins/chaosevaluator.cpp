// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/evaluator/restartevaluator.h>

#include <QFile>
#include <QObject>
#include <QPromise>

#include <unistd.h>

#include <csignal>
#include <stdexcept>
#include <thread>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

QFuture<EvaluatorAnswer> ready(const EvaluatorAnswer &answer) { return readyAnswer(answer); }

// Signals the test.
void raiseFlag(const QString &flag, const char *suffix = "")
{
    if (flag.isEmpty())
        return;
    QFile file(flag + QLatin1String(suffix));
    if (!file.open(QIODevice::WriteOnly))
        qWarning("cannot create %s: %s", qPrintable(file.fileName()),
                 qPrintable(file.errorString()));
}

[[noreturn]] void hangForEver()
{
    for (;;)
        ::pause();
}

// Answers from another thread.
template<typename Answer>
QFuture<EvaluatorAnswer> elsewhere(Answer answer)
{
    QPromise<EvaluatorAnswer> promise;
    QFuture<EvaluatorAnswer> future = promise.future();
    promise.start();
    std::thread([answer, promise = std::move(promise)]() mutable { answer(promise); }).detach();
    return future;
}

/// Misbehaves by its parameter `mode`, at most `times` times if that is set.
class ChaosEvaluator final : public RestartEvaluator
{
public:
    explicit ChaosEvaluator(const QJsonObject &parameters)
        : m_mode(parameters[QLatin1String("mode")].toString())
        , m_times(parameters[QLatin1String("times")].toInt())
        , m_flag(parameters[QLatin1String("flag")].toString())
    {
    }
    ~ChaosEvaluator() override
    {
        if (m_mode == QLatin1String("destructor-hangs")) {
            raiseFlag(m_flag, ".more");
            hangForEver();
        }
    }

    QFuture<EvaluatorAnswer> evaluate(const EvaluatorQuestion &question) override
    {
        ++m_asked;
        raiseFlag(m_flag);
        if (m_times > 0 && m_asked > m_times)
            return ready(EvaluatorAnswer::delayBy(7s, QStringLiteral("good again")));
        return misbehave(question);
    }

private:
    QFuture<EvaluatorAnswer> misbehave(const EvaluatorQuestion &question)
    {
        if (m_mode == QLatin1String("throws"))
            throw std::runtime_error("chaos");
        if (m_mode == QLatin1String("throws-int"))
            throw 42;
        if (m_mode == QLatin1String("crashes"))
            ::raise(SIGSEGV);
        if (m_mode == QLatin1String("hangs"))
            hangForEver();
        if (m_mode == QLatin1String("waits")) {
            while (!QFile::exists(m_flag + QLatin1String(".go")))
                std::this_thread::sleep_for(1ms);
            return ready(EvaluatorAnswer::accept());
        }
        if (m_mode == QLatin1String("negative"))
            return ready({EvaluatorAnswer::Kind::Delay, -1s, {}});
        if (m_mode == QLatin1String("eight-days"))
            return ready({EvaluatorAnswer::Kind::Delay, std::chrono::days(8), {}});
        if (m_mode == QLatin1String("kind-99"))
            return ready({static_cast<EvaluatorAnswer::Kind>(99), 0s, {}});
        if (m_mode == QLatin1String("no-future"))
            return {};
        if (m_mode == QLatin1String("abandoned-at-once")) {
            QPromise<EvaluatorAnswer> promise;
            promise.start();
            return promise.future();
        }
        if (m_mode == QLatin1String("never"))
            return neverAnswer();
        if (m_mode == QLatin1String("refuse"))
            return ready(EvaluatorAnswer::refuse(QStringLiteral("not\nnow")));
        if (m_mode == QLatin1String("open"))
            return ready(EvaluatorAnswer::openBreaker(QStringLiteral("enough")));
        if (m_mode == QLatin1String("counts"))
            return ready(EvaluatorAnswer::delayBy(std::chrono::seconds(100 + m_asked), {}));
        if (m_mode == QLatin1String("echo"))
            return ready(EvaluatorAnswer::delayBy(9s, echo(question)));
        if (m_mode == QLatin1String("echo-health"))
            return ready(EvaluatorAnswer::delayBy(9s, echoHealth(question)));
        if (m_mode == QLatin1String("accept"))
            return ready(EvaluatorAnswer::accept());
        return fromElsewhere();
    }

    QFuture<EvaluatorAnswer> neverAnswer()
    {
        QPromise<EvaluatorAnswer> promise;
        promise.start();
        m_kept = std::make_unique<QPromise<EvaluatorAnswer>>(std::move(promise));
        return m_kept->future();
    }

    QFuture<EvaluatorAnswer> fromElsewhere()
    {
        const EvaluatorAnswer ten = EvaluatorAnswer::delayBy(10s, QStringLiteral("from elsewhere"));
        if (m_mode == QLatin1String("twice"))
            return elsewhere([ten](QPromise<EvaluatorAnswer> &promise) {
                promise.addResult(ten);
                promise.addResult(EvaluatorAnswer::refuse(QStringLiteral("changed my mind")));
                promise.finish();
            });
        if (m_mode == QLatin1String("abandoned"))
            return elsewhere([](QPromise<EvaluatorAnswer> &) {});
        if (m_mode == QLatin1String("throws-later"))
            return elsewhere([](QPromise<EvaluatorAnswer> &promise) {
                promise.setException(std::make_exception_ptr(std::runtime_error("later")));
                promise.finish();
            });
        if (m_mode == QLatin1String("late"))
            return elsewhere([flag = m_flag](QPromise<EvaluatorAnswer> &promise) {
                while (!promise.isCanceled())
                    std::this_thread::sleep_for(1ms);
                promise.addResult(EvaluatorAnswer::refuse(QStringLiteral("too late")));
                promise.finish();
                raiseFlag(flag, ".more");
            });
        return elsewhere([ten](QPromise<EvaluatorAnswer> &promise) {
            promise.addResult(ten);
            promise.finish();
        });
    }

    [[nodiscard]] static QString echo(const EvaluatorQuestion &q)
    {
        return QStringLiteral("%1 %2 %3 %4 %5 %6 %7 %8")
            .arg(q.agent)
            .arg(q.generation)
            .arg(q.currentAttempt)
            .arg(q.reason)
            .arg(q.exitCode.value_or(-1))
            .arg(q.beforeReady ? QStringLiteral("boot") : QStringLiteral("ready"))
            .arg(std::chrono::duration_cast<std::chrono::milliseconds>(q.builtInDelay).count())
            .arg(q.attemptNumber);
    }

    [[nodiscard]] static QString echoHealth(const EvaluatorQuestion &q)
    {
        QString text = QStringLiteral("%1 %2").arg(q.health).arg(q.consecutiveMisses);
        for (const EvaluatorProbeResult &result : q.healthHistory) {
            text += QStringLiteral(", %1 %2 %3 %4 %5")
                        .arg(result.atUtc.count())
                        .arg(result.probe)
                        .arg(QLatin1String(result.ok ? "good" : "miss"))
                        .arg(result.took / 1ms)
                        .arg(result.text);
        }
        return text;
    }

    const QString m_mode;
    const int m_times;
    const QString m_flag;
    int m_asked = 0;
    std::unique_ptr<QPromise<EvaluatorAnswer>> m_kept;
};

} // namespace

class ChaosEvaluatorPlugin final : public QObject, public RestartEvaluatorPlugin
{
    Q_OBJECT
    Q_PLUGIN_METADATA(IID RekindleRestartEvaluator_iid FILE "chaos.json")
    Q_INTERFACES(Rekindle::RestartEvaluatorPlugin)

public:
    std::unique_ptr<RestartEvaluator> create(const QJsonObject &parameters) override
    {
        const QString mode = parameters[QLatin1String("mode")].toString();
        if (mode == QLatin1String("create-throws"))
            throw std::runtime_error("no evaluator today");
        if (mode == QLatin1String("create-null"))
            return nullptr;
        return std::make_unique<ChaosEvaluator>(parameters);
    }
};

#include "chaosevaluator.moc"

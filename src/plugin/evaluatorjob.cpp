// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "evaluatorjob_p.h"

#include <rekindle/policy/instancetable.h>

#include <QCoreApplication>
#include <QEvent>
#include <QPluginLoader>

#include <stdexcept>
#include <utility>

namespace Rekindle {

namespace {

constexpr qsizetype longestText = 500;

QString plainText(QString text)
{
    text.truncate(longestText);
    for (QChar &c : text) {
        if (!c.isPrint())
            c = u' ';
    }
    return text;
}

QString faultOf(const EvaluatorAnswer &answer)
{
    using Kind = EvaluatorAnswer::Kind;
    switch (answer.kind) {
    case Kind::Accept:
    case Kind::Refuse:
    case Kind::OpenBreaker:
        return {};
    case Kind::Delay:
        if (answer.delay >= Duration{0} && answer.delay <= EvaluatorVerdict::longestDelay)
            return {};
        return QStringLiteral("invalid answer: expected a delay of 0 to 7 days, found %1 ms")
            .arg(toMilliseconds(answer.delay), 0, 'f', 0);
    }
    return QStringLiteral("invalid answer: unknown kind %1").arg(static_cast<int>(answer.kind));
}

// Runs code of a plug-in and returns the text of an exception; empty if there was none.
template<typename Code>
QString guarded(Code code)
{
    try {
        code();
        return {};
    } catch (const std::exception &exception) {
        return QStringLiteral("threw an exception: ")
            + plainText(QString::fromUtf8(exception.what()));
    } catch (...) {
        return QStringLiteral("threw an object that is not a std::exception");
    }
}

} // namespace

EvaluatorMailbox::EvaluatorMailbox(QObject *receiver)
    : m_receiver(receiver)
{
}

int EvaluatorMailbox::wakeUp()
{
    static const int type = QEvent::registerEventType();
    return type;
}

void EvaluatorMailbox::post(EvaluatorReport report)
{
    const std::lock_guard lock(m_mutex);
    if (!m_receiver)
        return;
    m_reports.push_back(std::move(report));
    if (m_reports.size() == 1)
        QCoreApplication::postEvent(m_receiver, new QEvent(static_cast<QEvent::Type>(wakeUp())));
}

std::vector<EvaluatorReport> EvaluatorMailbox::takeAll()
{
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_reports, {});
}

void EvaluatorMailbox::close()
{
    const std::lock_guard lock(m_mutex);
    m_receiver = nullptr;
    m_reports.clear();
}

EvaluatorCode::EvaluatorCode(QString file)
    : m_file(std::move(file))
{
}

RestartEvaluatorPlugin &EvaluatorCode::root()
{
    const std::lock_guard lock(m_mutex);
    if (m_root)
        return *m_root;
    QPluginLoader loader(m_file); // its destructor does not unload the code
    QObject *const object = loader.instance();
    if (!object)
        throw std::runtime_error("loading failed: " + loader.errorString().toStdString());
    m_root = qobject_cast<RestartEvaluatorPlugin *>(object);
    if (!m_root)
        throw std::runtime_error("the root object is not a RestartEvaluatorPlugin");
    return *m_root;
}

EvaluatorCell::EvaluatorCell(std::shared_ptr<EvaluatorCode> code, QJsonObject parameters)
    : m_code(std::move(code))
    , m_parameters(std::move(parameters))
{
}

RestartEvaluator &EvaluatorCell::evaluator()
{
    if (m_evaluator)
        return *m_evaluator;
    RestartEvaluatorPlugin &root = m_code->root();
    m_isLoaded = true;
    m_evaluator = root.create(m_parameters);
    if (!m_evaluator)
        throw std::runtime_error("create() returned null");
    return *m_evaluator;
}

void EvaluatorTicket::withdraw()
{
    QFuture<EvaluatorAnswer> future;
    {
        const std::lock_guard lock(m_mutex);
        m_withdrawn = true;
        if (m_progress != Progress::Pending)
            return;
        future = m_future;
    }
    future.cancel();
}

EvaluatorTicket::Progress EvaluatorTicket::progress() const
{
    const std::lock_guard lock(m_mutex);
    return m_progress;
}

bool EvaluatorTicket::begin()
{
    const std::lock_guard lock(m_mutex);
    if (!m_withdrawn)
        m_progress = Progress::Running;
    return !m_withdrawn;
}

void EvaluatorTicket::setFuture(const QFuture<EvaluatorAnswer> &future)
{
    {
        const std::lock_guard lock(m_mutex);
        m_future = future;
        m_progress = Progress::Pending;
        if (!m_withdrawn)
            return;
    }
    QFuture<EvaluatorAnswer>(future).cancel();
}

void EvaluatorTicket::setReported()
{
    const std::lock_guard lock(m_mutex);
    m_progress = Progress::Reported;
}

void ReportAddress::post(EvaluatorResult result, bool unmade) const
{
    mailbox->post({token, evaluator, instanceId, std::move(result), unmade, attachment});
}

std::optional<EvaluatorResult> answerIn(const QFuture<EvaluatorAnswer> &finished)
{
    EvaluatorAnswer answer;
    try {
        if (finished.resultCount() == 0)
            return {};
        answer = finished.resultAt(0);
    } catch (...) { // reportEnd() handles it on the plug-in's thread
        return {};
    }
    if (QString fault = faultOf(answer); !fault.isEmpty())
        return fault;
    answer.reason = plainText(answer.reason);
    return answer;
}

void prepareEvaluator(EvaluatorCell &cell, const ReportAddress &address)
{
    const QString thrown = guarded([&] { cell.evaluator(); });
    if (!thrown.isEmpty())
        address.post(thrown, cell.isUnmade());
}

void requestAnswer(EvaluatorCell &cell, const EvaluatorQuestion &question, EvaluatorTicket &ticket,
                   const ReportAddress &address)
{
    if (!ticket.begin())
        return;
    const QString thrown = guarded([&] {
        const QFuture<EvaluatorAnswer> future = cell.evaluator().evaluate(question);
        if (future.isFinished()) {
            reportEnd(future, address);
            ticket.setReported();
            return;
        }
        ticket.setFuture(future);
        address.post(future);
    });
    if (!thrown.isEmpty()) {
        address.post(thrown, cell.isUnmade());
        ticket.setReported();
    }
}

void reportEnd(const QFuture<EvaluatorAnswer> &finished, const ReportAddress &address)
{
    if (std::optional<EvaluatorResult> answer = answerIn(finished)) {
        address.post(std::move(*answer));
        return;
    }
    const QString thrown = guarded([&] {
        QFuture<EvaluatorAnswer>(finished)
            .waitForFinished(); // rethrows the exception in the future
    });
    address.post(thrown.isEmpty() ? QStringLiteral("finished without an answer") : thrown);
}

} // namespace Rekindle

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "workerbarrier_p.h"

#include <QCoreApplication>
#include <QEvent>
#include <QScopedValueRollback>
#include <QThread>

#include <cstdlib>
#include <cxxabi.h>
#include <exception>
#include <memory>
#include <typeinfo>

namespace Rekindle {

namespace {
thread_local WorkerBarrier *currentBarrier = nullptr;

// Qt's list of callbacks has no lock, so it is changed before threads read it. docs/workers.md
// states why this hook is used.
const bool installed =
    QInternal::registerCallback(QInternal::EventNotifyCallback, &WorkerBarrier::deliver);

QString typeName()
{
    const std::type_info *type = abi::__cxa_current_exception_type();
    if (!type)
        return QStringLiteral("foreign exception");
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> name(
        abi::__cxa_demangle(type->name(), nullptr, nullptr, &status), &std::free);
    return QString::fromUtf8(name ? name.get() : type->name());
}
} // namespace

WorkerBarrier::WorkerBarrier(QThread &thread, std::function<void()> onException)
    : m_thread(thread)
    , m_onException(std::move(onException))
{
    Q_ASSERT(installed);
    currentBarrier = this;
}

WorkerBarrier::~WorkerBarrier() { currentBarrier = nullptr; }

bool WorkerBarrier::deliver(void **parameters)
{
    if (!currentBarrier)
        return false;
    return currentBarrier->deliver(static_cast<QObject *>(parameters[0]),
                                   static_cast<QEvent *>(parameters[1]),
                                   static_cast<bool *>(parameters[2]));
}

bool WorkerBarrier::deliver(QObject *receiver, QEvent *event, bool *result)
{
    // Each level of nested event loops is guarded once.
    const int level = m_thread.loopLevel();
    if (level == m_guardedLevel)
        return false;
    if (m_thrown && event->type() != QEvent::DeferredDelete)
        return true;
    const QScopedValueRollback<int> guard(m_guardedLevel, level);
    try {
        // Calls this function again, which then passes the event on to Qt and the host's notify().
        *result = QCoreApplication::sendEvent(receiver, event);
    } catch (...) {
        m_thrown = true;
        m_onException();
    }
    return true;
}

QString exceptionText()
{
    try {
        throw;
    } catch (const std::exception &exception) {
        const QString text = QString::fromUtf8(exception.what());
        return text.isEmpty() ? typeName() : text;
    } catch (...) {
        return typeName();
    }
}

} // namespace Rekindle

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "ownthread_p.h"

#include "restartcategory_p.h"

#include <QThread>

namespace Rekindle {

bool isInOwnThread(const QObject &object)
{
    if (object.thread() == QThread::currentThread())
        return true;
    qCCritical(restartCategory,
               "[RST] A function of %s was called from a thread other than its own and does "
               "nothing; use QMetaObject::invokeMethod()",
               object.metaObject()->className());
    return false;
}

} // namespace Rekindle

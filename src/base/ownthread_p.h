// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QMetaObject>
#include <QThread>

namespace Rekindle {

/// A call from another thread is a programming error, which debug builds detect.
inline void assertOwnThread([[maybe_unused]] const QObject &object)
{
    Q_ASSERT_X(object.thread() == QThread::currentThread(), object.metaObject()->className(),
               "called from another thread");
}

} // namespace Rekindle

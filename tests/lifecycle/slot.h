// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QMetaMethod>
#include <QObject>

#include <functional>

namespace Rekindle {

/// Calls a function at signals that are found by their QMetaMethod, whatever their arguments are.
class Slot : public QObject
{
    Q_OBJECT

public:
    std::function<void()> function;

    void connectTo(QObject *sender, const QMetaMethod &signal)
    {
        connect(sender, signal, this,
                staticMetaObject.method(staticMetaObject.indexOfSlot("call()")));
    }

public Q_SLOTS:
    void call() { function(); }
};

} // namespace Rekindle

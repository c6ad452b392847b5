// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/scheduler.h>

#include <QByteArrayList>

namespace Rekindle {

/// Removes control groups when their processes, which were killed, have exited. The destructor
/// waits for them, at most 100 ms; the next host removes the rest.
class CgroupRemover
{
public:
    explicit CgroupRemover(Scheduler &scheduler);
    Q_DISABLE_COPY_MOVE(CgroupRemover)
    ~CgroupRemover();

    void remove(const QByteArray &folder);

private:
    void tryAll();
    void retry();

    Deadline m_next;
    QByteArrayList m_folders;
    int m_retries = 0;
};

} // namespace Rekindle

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "waituntil.h"

#include <rekindle/lifecycle/virtualscheduler.h>

#include <QCoreApplication>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace Rekindle {

/// A folder with files that a FileWatch in virtual time watches.
class ChangingFiles
{
public:
    explicit ChangingFiles(VirtualScheduler &scheduler)
        : m_scheduler(scheduler)
    {
    }

    [[nodiscard]] QString path(const char *name) const
    {
        return m_folder.filePath(QString::fromUtf8(name));
    }

    /// Writes a file with other contents than before.
    void write(const char *name)
    {
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(QByteArray(++m_size, 'x'));
    }

    /// The same, until the watch has noticed it. The report follows within 5 s of virtual time.
    void change(const char *name)
    {
        const std::size_t before = m_scheduler.armedCount();
        write(name);
        QVERIFY(waitUntil([&] { return m_scheduler.armedCount() > before; }));
        QCoreApplication::processEvents();
    }

private:
    VirtualScheduler &m_scheduler;
    QTemporaryDir m_folder;
    int m_size = 0;
};

} // namespace Rekindle

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "waituntil.h"

#include <rekindle/host/agenthost.h>
#include <rekindle/lifecycle/fixedlicenseprovider.h>
#include <rekindle/lifecycle/virtualscheduler.h>

#include <QCoreApplication>
#include <QFile>
#include <QTemporaryDir>

namespace Rekindle {

/// A host in virtual time with a folder of real files.
class VirtualHost
{
public:
    explicit VirtualHost(LicenseTier tier = LicenseTier::Enterprise)
    {
        host.setLicense(std::make_unique<FixedLicenseProvider>(tier));
    }

    void advance(Duration duration)
    {
        scheduler.advance(duration);
        QCoreApplication::sendPostedEvents();
        scheduler.advance(Duration::zero());
    }

    [[nodiscard]] QString path(const char *name) const
    {
        return m_folder.filePath(QString::fromUtf8(name));
    }

    /// Writes a file.
    void write(const char *name, const QByteArray &contents) const
    {
        QFile file(path(name));
        if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate)
            || file.write(contents) != contents.size())
            qFatal("%s", qPrintable(file.errorString()));
    }

    /// Lets time pass until the condition holds; returns false after two minutes of real time.
    template<typename Condition>
    [[nodiscard]] bool waitFor(Condition condition)
    {
        return waitUntil([&] {
            advance(std::chrono::milliseconds(100));
            return condition();
        });
    }

private:
    QTemporaryDir m_folder;
    VirtualClock m_clock;

public:
    VirtualScheduler scheduler{m_clock};
    AgentHost host{scheduler};
};

} // namespace Rekindle

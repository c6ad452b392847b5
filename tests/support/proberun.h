// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/healthprobe.h>

#include <QCoreApplication>
#include <QTest>

#include <memory>

namespace Rekindle {

/// Runs one probe and records its results.
class ProbeRun : public QObject
{
public:
    explicit ProbeRun(HealthProbe &probe)
        : m_probe(probe)
    {
        connect(&probe, &HealthProbe::finished, this, [this](bool ok, const QString &text) {
            ++answers;
            answer = (ok ? QStringLiteral("ok: ") : QStringLiteral("no: ")) + text;
        });
        connect(&probe, &HealthProbe::postponed, this, [this] {
            ++answers;
            answer = QStringLiteral("postponed");
        });
    }

    /// The result of one run: "ok: TEXT", "no: TEXT" or "postponed"; "none" after 30 s.
    QString run()
    {
        answers = 0;
        answer = QStringLiteral("none");
        m_probe.start(std::chrono::seconds(30));
        (void)QTest::qWaitFor([this] { return answers > 0; }, 30000);
        return answer;
    }

    int answers = 0;
    QString answer;

private:
    HealthProbe &m_probe;
};

/// Whether a probe can be cancelled immediately after its start, and then reports nothing.
inline bool isSilentAfterCancel(HealthProbe &probe)
{
    const ProbeRun run(probe);
    probe.start(std::chrono::seconds(2));
    const bool isRunning = run.answers == 0;
    probe.cancel();
    QCoreApplication::processEvents();
    return isRunning && run.answers == 0;
}

/// Whether a probe can be deleted in a slot of finished(), which is emitted once.
inline bool isDeletableInFinished(std::unique_ptr<HealthProbe> probe)
{
    int answers = 0;
    QObject::connect(probe.get(), &HealthProbe::finished, qApp, [&] {
        ++answers;
        probe.reset();
    });
    probe->start(std::chrono::seconds(2));
    return QTest::qWaitFor([&] { return answers > 0; }, 30000) && answers == 1 && !probe;
}

} // namespace Rekindle

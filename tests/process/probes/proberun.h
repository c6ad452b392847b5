// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/lifecycle/healthprobe.h>

#include <QTest>

#include <optional>

namespace Rekindle {

/// Runs of one probe, and what it answers.
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

    /// What it answers within 30 s; "none" then.
    QString ask()
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

} // namespace Rekindle

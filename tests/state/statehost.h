// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "stage.h"

#include <rekindle/state/statefile.h>

#include <QLoggingCategory>
#include <QTest>

#include <memory>

namespace Rekindle {

inline const QString web = QStringLiteral("web");
inline const AgentScript crashes{QStringLiteral("started fail")};

/// A policy that restarts ten times per second without a limit.
inline const QString loop = QStringLiteral(
    "'initialDelay':'100ms','multiplier':1,'maxRetries':'unlimited','circuitBreaker':'off'");

/// A host in virtual time with a state file on a real disk. Destroying it is a kill after the last
/// write.
class StateHost
{
public:
    /// `uptime` is the monotonic time, `wall` the lead of the wall clock. `isOwnPath`: see
    /// StateFileOptions.
    explicit StateHost(const QString &path, Duration uptime = std::chrono::hours(1),
                       Duration wall = {}, const QString &boot = QStringLiteral("boot"),
                       bool isOwnPath = false)
    {
        QLoggingCategory::setFilterRules(QStringLiteral("rekindle.restart=false"));
        stage.clock.advance(uptime);
        stage.clock.setUtc(stage.clock.utcNow()
                           + std::chrono::round<std::chrono::milliseconds>(wall));
        StateFileOptions options;
        options.path = path;
        options.isOwnPath = isOwnPath;
        options.bootId = boot;
        state = std::make_unique<StateFile>(stage.supervisor, options);
        QObject::connect(state.get(), &StateFile::failed, state.get(),
                         [this](const QString &reason) { failures.append(reason); });
        QObject::connect(state.get(), &StateFile::resumed, state.get(), [this] { ++resumptions; });
        QObject::connect(state.get(), &StateFile::movedAside, state.get(),
                         [this](const QString &newPath, const QString &reason) {
                             aside = newPath;
                             asideReason = reason;
                         });
        QObject::connect(state.get(), &StateFile::written, state.get(), [this] { ++writes; });
    }

    /// Opens the file and starts an agent that crashes. Returns false if the file cannot be used.
    [[nodiscard]] bool run(const QString &policy = loop, const QString &name = web)
    {
        const bool isOpen = state->open();
        stage.add(name, crashes, policy);
        start();
        return isOpen;
    }

    void start()
    {
        state->startAll();
        stage.advance(Duration::zero());
    }

    /// Waits until the file has been written for the n-th time.
    [[nodiscard]] bool waitForWrites(int count)
    {
        return QTest::qWaitFor([&] { return writes >= count; }, 30'000);
    }

    /// Waits for a condition without advancing the virtual time.
    template<typename Condition>
    [[nodiscard]] bool waitUntil(Condition condition)
    {
        const auto check = [&] {
            stage.advance(Duration::zero());
            return condition();
        };
        return QTest::qWaitFor(check, 120'000);
    }

    /// Returns the event log without a leading time.
    [[nodiscard]] QString events() const
    {
        const QString text = stage.log.text();
        return text.isEmpty() || !text[0].isDigit() ? text : text.section(u' ', 1);
    }

    Stage stage;
    std::unique_ptr<StateFile> state;
    QStringList failures;
    QString aside;
    QString asideReason;
    int resumptions = 0;
    int writes = 0;
};

} // namespace Rekindle

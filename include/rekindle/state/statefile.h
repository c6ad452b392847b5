// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/state/export.h>

#include <QObject>
#include <QString>

#include <chrono>
#include <memory>

class QUuid;

namespace Rekindle {

class AgentSupervisor;

/// How a state file is kept. A value beyond its range is moved into it.
struct StateFileOptions
{
    /// The file. Its folder is made where it is not there (0700), the file is 0600.
    QString path{};

    /// Least time between two writes: 1 s .. 1 min. It is what SIGKILL may lose.
    std::chrono::milliseconds writeInterval{1'000};

    /// What is known of an agent is forgotten this long after a host first ran without it:
    /// 1 h .. 365 d.
    std::chrono::hours keepFor = std::chrono::days(7);

    /// How long close() waits for the disk: 0 .. 1 min.
    std::chrono::milliseconds closeTimeout{5'000};

    /// What tells this boot of the machine from others; empty: what the system says. For tests.
    QString bootId{};
};

/// Keeps attempts, breaker states, windows and planned starts of a supervisor's agents in a file,
/// so that a host that was killed and is started again neither forgives a crash loop nor strands an
/// agent (spec 11; docs/state.md). Agents are known by their names.
///
/// ```
/// Rekindle::StateFile state(supervisor, {.path = path});
/// state.open();
/// // supervisor.add(...)
/// state.startAll(); // instead of supervisor.startAll()
/// ```
///
/// A thread of its own writes, at most once in writeInterval; the engine waits for no disk but in
/// open() and close(). What cannot be written is tried again with the next change, and once each
/// writeInterval.
///
/// Use it from the supervisor's thread; the supervisor must outlive it.
class REKINDLE_STATE_EXPORT StateFile : public QObject
{
    Q_OBJECT

public:
    StateFile(AgentSupervisor &supervisor, const StateFileOptions &options,
              QObject *parent = nullptr);

    /// Without close() it is as though the host was killed, but that nothing is lost.
    ~StateFile() override;

    /// Takes the file for this host and reads it. False where that cannot be: another host has it,
    /// the folder cannot be written to. failed() has told why then, and nothing is kept. A file
    /// that cannot be used is moved aside, which movedAside() tells, and a new one is begun.
    /// Blocks.
    bool open();

    /// Whether anything is kept.
    [[nodiscard]] bool isOpen() const;

    /// Starts an agent, or lets it go on where it was when the last host was killed: see
    /// RestartPolicyEvaluator::resume(). Only the first time, then it just starts it.
    void start(const QUuid &instanceId);
    void startAll(); ///< in the order of AgentSupervisor::add()

    /// How many agents went on where they were: not those that were started, nor those that stay
    /// given up.
    [[nodiscard]] int resumedCount() const;

    /// An orderly end of the host, which counts as a stop of every agent: the next host starts them
    /// afresh, and knows of their breakers, but isolates none. Waits for the disk, for closeTimeout
    /// at the most. False if it could not be written.
    bool close();

    /// How often the file was written.
    [[nodiscard]] quint64 writeCount() const;

Q_SIGNALS:
    /// It cannot be opened, read or written; told once until resumed(). `reason` is a sentence
    /// without an end.
    void failed(const QString &reason);

    /// Writing works again.
    void resumed();

    /// What was found could not be used, for this reason; it is now at `aside`.
    void movedAside(const QString &aside, const QString &reason);

    /// The file has been written.
    void written();

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/journalentry.h>
#include <rekindle/telemetry/historyreader.h>

#include <memory>
#include <optional>

namespace Rekindle {

/// Reads the journal of inputs of one run, and the events and decisions that were recorded with it,
/// one after the other. Rows that a host writes after the construction are not read. All functions
/// block for the disk. Use it from the thread that created it.
class REKINDLE_TELEMETRY_EXPORT JournalReader
{
public:
    /// Opens the store and finds the run. error() contains the reason if that fails.
    JournalReader(const QString &path, const QString &run);
    ~JournalReader();
    Q_DISABLE_COPY_MOVE(JournalReader)

    /// Returns why the journal cannot be read, or cannot be read further: a row is missing, changed
    /// or malformed. Empty if there is no error.
    [[nodiscard]] QString error() const;

    /// Returns the version of the host.
    [[nodiscard]] QString version() const;

    /// Returns whether the first events and decisions of the run are still in the store.
    [[nodiscard]] bool hasAllEvents() const;
    [[nodiscard]] bool hasAllDecisions() const;

    /// Returns the next input; nothing at the end or after an error.
    [[nodiscard]] std::optional<JournalEntry> nextInput();

    /// Returns the next event or gap marker; nothing at the end or after an error. Skips tool
    /// calls.
    [[nodiscard]] std::optional<StoredEvent> nextEvent();

    /// Returns the next decision; nothing at the end or after an error. Skips decisions of
    /// evaluators in shadow mode.
    [[nodiscard]] std::optional<StoredDecision> nextDecision();

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/config/configuration.h>
#include <rekindle/policy/enums.h>
#include <rekindle/policy/journalentry.h>
#include <rekindle/simulation/export.h>
#include <rekindle/simulation/simulationresult.h>

#include <QStringList>

#include <memory>
#include <optional>

namespace Rekindle {

/// Applies other settings to a recorded run, and compares the figures of both. The result is exact
/// up to the first difference between the effects of the settings. From there on, the run is
/// simulated under an assumption: each process exits in the same way at the same age as in the
/// recorded run. The operator commands have their recorded times.
///
/// It reads no store: pass the inputs of the run in their order. Use it from one thread.
class REKINDLE_SIMULATION_EXPORT CounterfactualReplay
{
public:
    /// The maximum number of timers and inputs in the simulation after the first difference.
    static constexpr qint64 workLimit = 2'000'000;

    /// The input before which the effects of the settings differ.
    struct Difference
    {
        quint64 number = 0; ///< JournalEntry::number; one more than the last one at the end
        QString agent{};
        QString input{}; ///< JournalEntry::kindText()
        Duration at{0};  ///< since the beginning of the run

        bool operator==(const Difference &) const = default;
    };

    /// The restart policies of the configuration apply from the beginning of the run, its
    /// dependencies and its governor from the first difference on. The policies are limited by the
    /// tier.
    explicit CounterfactualReplay(Configuration configuration,
                                  LicenseTier tier = LicenseTier::Enterprise);

    /// Each agent has this policy. No dependencies and no governor apply after the first
    /// difference.
    explicit CounterfactualReplay(const RestartPolicy &policy,
                                  LicenseTier tier = LicenseTier::Enterprise);
    ~CounterfactualReplay();
    Q_DISABLE_COPY_MOVE(CounterfactualReplay)

    void apply(const JournalEntry &entry);

    /// Ends the run at this time, which is not before the last input, and simulates the rest of it.
    /// If it is shorter than `length`, both runs continue, and the agents of the recorded run stay
    /// in their last states. Call it once. Can be called only while a QCoreApplication exists.
    /// Needs no event loop.
    void finish(Instant end, Duration length = Duration{0});

    /// Empty if the settings make no difference.
    [[nodiscard]] const std::optional<Difference> &difference() const;

    // After finish(). The agents are in the order in which the run added them.
    [[nodiscard]] const SimulationResult &recorded() const;
    /// Without the agents of notConfigured(). If the simulation exceeds workLimit, it ends early,
    /// and its length is shorter than the length of recorded().
    [[nodiscard]] const SimulationResult &changed() const;

    /// Agents of the run that the configuration does not contain.
    [[nodiscard]] QStringList notConfigured() const;
    /// Agents of the configuration that the run does not contain. They are not simulated.
    [[nodiscard]] QStringList notRecorded() const;
    /// Agents with more starts than recorded processes. Their processes are repeated in their
    /// order.
    [[nodiscard]] QStringList repeated() const;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/license/licensepublickey.h>
#include <rekindle/license/signedlicense.h>
#include <rekindle/lifecycle/licenseprovider.h>
#include <rekindle/lifecycle/scheduler.h>

#include <memory>

namespace Rekindle {

/// What a host says about its licence file.
struct SignedLicenseOptions
{
    QString path{};               ///< of the licence file
    LicensePublicKey publicKey{}; ///< of the vendor; compile it in
    QString audience{};           ///< the host's own application id

    /// Where the latest time that was seen is kept over restarts, so that a clock set back is
    /// noticed; empty for nowhere. The folder must exist. The host decides how well it is hidden.
    QString statePath{};
};

/// The tier of a signed licence file (spec 7). It begins and ends at its own moments, by the
/// scheduler's clock; where the file is refused, or is so later on, the tier is Core and status()
/// says why. Nothing is thrown, whatever is in the file.
///
/// The wall clock is looked at anew every hour at the latest: so long may an end go unnoticed
/// after the machine was suspended or its clock was set. The state file is written as often. A file
/// that is not there or cannot be read is looked for again every minute.
///
/// The constructor and reload() read the file, and block for as long as that takes; never on a
/// pipe or a device. Lives in the scheduler's thread.
class REKINDLE_LICENSE_EXPORT SignedLicenseProvider final : public LicenseProvider
{
    Q_OBJECT

public:
    /// The scheduler must outlive the provider.
    SignedLicenseProvider(const SignedLicenseOptions &options, Scheduler &scheduler,
                          QObject *parent = nullptr);
    ~SignedLicenseProvider() override;

    [[nodiscard]] LicenseStatus status() const override;

    /// Why it was refused; nothing if it was accepted.
    [[nodiscard]] std::optional<LicenseRefusal> refusal() const;

    /// Reads the file again: it was replaced or changed.
    void reload();

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle

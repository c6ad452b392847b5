// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/license/licensepublickey.h>
#include <rekindle/license/signedlicense.h>
#include <rekindle/lifecycle/licenseprovider.h>
#include <rekindle/lifecycle/scheduler.h>

#include <memory>

namespace Rekindle {

/// The options of a SignedLicenseProvider.
struct SignedLicenseOptions
{
    QString path{};               ///< the license file
    LicensePublicKey publicKey{}; ///< the vendor's key; compile it in
    QString audience{};           ///< the host's application id

    /// The file that stores the latest known time, so that a clock that is set back is detected;
    /// empty: not stored. Its folder must exist.
    QString statePath{};
};

/// Provides the tier of a signed license file (spec 7). The license becomes valid and expires by
/// the scheduler's clock. If the file is rejected, the tier is Core, and status() contains the
/// reason. Never throws.
///
/// The wall clock is checked at least every hour, and the state file is written then. After the
/// machine was suspended or its clock was changed, an expiry can therefore be detected up to an
/// hour late. If the file is missing or cannot be read, it is read again every minute.
///
/// The constructor and reload() block while they read the file, but never on a pipe or a device.
/// Use it from the scheduler's thread.
class REKINDLE_LICENSE_EXPORT SignedLicenseProvider final : public LicenseProvider
{
    Q_OBJECT

public:
    /// `scheduler` must outlive the provider.
    SignedLicenseProvider(const SignedLicenseOptions &options, Scheduler &scheduler,
                          QObject *parent = nullptr);
    ~SignedLicenseProvider() override;

    [[nodiscard]] LicenseStatus status() const override;

    [[nodiscard]] QStringList files() const override; ///< the license file

    /// Returns why the license was rejected; nullopt if it was accepted.
    [[nodiscard]] std::optional<LicenseVerdict::Refusal> refusal() const;

    /// Reads the file again. Emits changed() if the status changed.
    void reload() override;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace Rekindle

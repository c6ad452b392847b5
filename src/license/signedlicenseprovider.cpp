// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/license/signedlicenseprovider.h>

#include "latestseen_p.h"
#include "signedlicense_p.h"

#include <algorithm>

namespace Rekindle {

namespace {
// The maximum time until a change of the wall clock is detected. In milliseconds, because times up
// to the year 9999 exceed the range of nanoseconds.
constexpr std::chrono::milliseconds maxWait = std::chrono::hours(1);
// Time until a file that could not be read is tried again.
constexpr std::chrono::milliseconds retryInterval = std::chrono::minutes(1);
} // namespace

class SignedLicenseProvider::Private
{
public:
    Private(const SignedLicenseOptions &providerOptions, Scheduler &usedScheduler,
            Deadline::Callback callback)
        : options(providerOptions)
        , scheduler(usedScheduler)
        , latestSeen(providerOptions.statePath)
        , deadline(usedScheduler, std::move(callback))
    {
    }

    void load() { file = BoundedFile::read(options.path, SignedLicense::maxFileSize); }
    bool evaluate();

    const SignedLicenseOptions options;
    Scheduler &scheduler;
    LatestSeen latestSeen;
    BoundedFile file;
    LicenseVerdict verdict;
    LicenseStatus status;
    Deadline deadline;

private:
    [[nodiscard]] LicenseVerdict verdictAt(UtcTime now) const;
    void armDeadline(UtcTime now);
};

LicenseVerdict SignedLicenseProvider::Private::verdictAt(UtcTime now) const
{
    if (const auto refusal = refusalOf(file))
        return {refusal, options.path + QLatin1String(": ") + file.error, {}};
    return SignedLicense::verify(file.bytes,
                                 {options.publicKey, options.audience, now, latestSeen.time()});
}

// Arms the deadline for the next time at which the verdict may change.
void SignedLicenseProvider::Private::armDeadline(UtcTime now)
{
    deadline.disarm();
    std::optional<UtcTime> next;
    if (verdict.isAccepted())
        next = verdict.claims->expires;
    else if (verdict.refusal == LicenseVerdict::Refusal::NotYetValid)
        next = verdict.claims->notBefore;
    else if (verdict.refusal != LicenseVerdict::Refusal::ClockSetBack && file.isRead())
        return; // only another file changes the verdict
    const std::chrono::milliseconds ahead = !file.isRead() ? retryInterval
        : next                                             ? *next - now
                                                           : maxWait;
    deadline.armIn(std::clamp(ahead, std::chrono::milliseconds(1), maxWait));
}

// Returns true if the status has changed.
bool SignedLicenseProvider::Private::evaluate()
{
    const UtcTime now = scheduler.clock().utcNow();
    const std::optional<LicenseVerdict::Refusal> before = verdict.refusal;
    latestSeen.reload();
    verdict = verdictAt(now);
    // The time is recorded only with a license of the vendor.
    if (verdict.claims && verdict.refusal != LicenseVerdict::Refusal::ClockSetBack)
        latestSeen.record(now);
    armDeadline(now);

    LicenseStatus next;
    next.valid = verdict.isAccepted();
    next.text = verdict.text;
    if (next.valid) {
        next.tier = verdict.claims->tier;
        next.expires = verdict.claims->expires;
    } else {
        next.text = toText(*verdict.refusal) + QLatin1String(": ") + verdict.text;
    }
    std::swap(status, next);
    // The text contains the time of the clock, so it always differs.
    const bool remainsSetBack =
        before == LicenseVerdict::Refusal::ClockSetBack && verdict.refusal == before;
    return status != next && !remainsSetBack;
}

SignedLicenseProvider::SignedLicenseProvider(const SignedLicenseOptions &options,
                                             Scheduler &scheduler, QObject *parent)
    : LicenseProvider(parent)
    , d(std::make_unique<Private>(options, scheduler, [this] {
        if (!d->file.isRead())
            d->load();
        if (d->evaluate())
            Q_EMIT changed();
    }))
{
    d->load();
    d->evaluate();
}

SignedLicenseProvider::~SignedLicenseProvider() = default;

LicenseStatus SignedLicenseProvider::status() const { return d->status; }

QStringList SignedLicenseProvider::files() const { return {d->options.path}; }

std::optional<LicenseVerdict::Refusal> SignedLicenseProvider::refusal() const
{
    return d->verdict.refusal;
}

void SignedLicenseProvider::reload()
{
    d->load();
    if (d->evaluate())
        Q_EMIT changed();
}

} // namespace Rekindle

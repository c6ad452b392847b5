// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/license/signedlicenseprovider.h>

#include "latestseen_p.h"
#include "signedlicense_p.h"

#include <algorithm>

namespace Rekindle {

namespace {
// How long a jump of the wall clock may go unnoticed. In milliseconds, as wall-clock time is: the
// years up to 9999 do not fit into nanoseconds.
constexpr std::chrono::milliseconds longestWait = std::chrono::hours(1);
// Until a file that could not be read is looked for again.
constexpr std::chrono::milliseconds nextLook = std::chrono::minutes(1);
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
    void loadAgain()
    {
        if (!file.isRead())
            load();
    }
    bool judge();

    const SignedLicenseOptions options;
    Scheduler &scheduler;
    LatestSeen latestSeen;
    BoundedFile file;
    LicenseVerdict verdict;
    LicenseStatus status;
    Deadline deadline;

private:
    [[nodiscard]] LicenseVerdict verdictAt(UtcTime now) const;
    void waitFrom(UtcTime now);
};

LicenseVerdict SignedLicenseProvider::Private::verdictAt(UtcTime now) const
{
    if (const auto refusal = refusalOf(file))
        return {refusal, options.path + QLatin1String(": ") + file.error, {}};
    return SignedLicense::verify(file.bytes,
                                 {options.publicKey, options.audience, now, latestSeen.time()});
}

// Arms the deadline for the next moment at which the verdict may be another one.
void SignedLicenseProvider::Private::waitFrom(UtcTime now)
{
    deadline.disarm();
    std::optional<UtcTime> next;
    if (verdict.isAccepted())
        next = verdict.claims->expires;
    else if (verdict.refusal == LicenseRefusal::NotYetValid)
        next = verdict.claims->notBefore;
    else if (verdict.refusal != LicenseRefusal::ClockSetBack && file.isRead())
        return; // only another file can help
    const std::chrono::milliseconds ahead = !file.isRead() ? nextLook
        : next                                             ? *next - now
                                                           : longestWait;
    deadline.armIn(std::clamp(ahead, std::chrono::milliseconds(1), longestWait));
}

// True if the status is another one than before.
bool SignedLicenseProvider::Private::judge()
{
    const UtcTime now = scheduler.clock().utcNow();
    const std::optional<LicenseRefusal> before = verdict.refusal;
    latestSeen.readAgain();
    verdict = verdictAt(now);
    // Only a licence of the vendor is a reason to remember the time.
    if (verdict.claims && verdict.refusal != LicenseRefusal::ClockSetBack)
        latestSeen.see(now);
    waitFrom(now);

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
    // It tells what the clock shows, which is always another time.
    const bool isStillSetBack = before == LicenseRefusal::ClockSetBack && verdict.refusal == before;
    return status != next && !isStillSetBack;
}

SignedLicenseProvider::SignedLicenseProvider(const SignedLicenseOptions &options,
                                             Scheduler &scheduler, QObject *parent)
    : LicenseProvider(parent)
    , d(std::make_unique<Private>(options, scheduler, [this] {
        d->loadAgain();
        if (d->judge())
            Q_EMIT changed();
    }))
{
    d->load();
    d->judge();
}

SignedLicenseProvider::~SignedLicenseProvider() = default;

LicenseStatus SignedLicenseProvider::status() const { return d->status; }

std::optional<LicenseRefusal> SignedLicenseProvider::refusal() const { return d->verdict.refusal; }

void SignedLicenseProvider::reload()
{
    d->load();
    if (d->judge())
        Q_EMIT changed();
}

} // namespace Rekindle

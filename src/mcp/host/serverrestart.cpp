// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/mcp/serverrestart.h>

#include "base/restartcategory_p.h"
#include "markerfile_p.h"

#include <rekindle/lifecycle/scheduler.h>
#include <rekindle/process/exitcodetable.h>

#include <QCoreApplication>
#include <QPointer>

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

using namespace std::chrono_literals;

constexpr Duration longestDelay = 1min;

static_assert(ServerRestart::exitCode == ExitCodeTable::restartRequested);

} // namespace

class ServerRestart::Private
{
public:
    Private(ServerRestart &restart, Scheduler &theScheduler, ServerRestartOptions theOptions)
        : q(restart)
        , scheduler(theScheduler)
        , marker(theOptions.markerFile)
        , delay(std::clamp(theOptions.delay, Duration{0}, longestDelay))
        , exit(std::move(theOptions.exit))
        , exitTime(theScheduler, [this] { leave(); })
    {
        if (!exit)
            exit = [](int code) { QCoreApplication::exit(code); };
    }

    void leave();

    ServerRestart &q;
    Scheduler &scheduler;
    const MarkerFile marker;
    const Duration delay;
    std::function<void(int)> exit;
    Deadline exitTime;
    bool isPending = false;
    QString reason;
};

void ServerRestart::Private::leave()
{
    qCInfo(restartCategory).noquote()
        << QStringLiteral("[RST] Server exiting for restart (exit code %1, reason: %2)")
               .arg(ServerRestart::exitCode)
               .arg(reason);
    const std::function<void(int)> end = exit;
    const QPointer<ServerRestart> alive(&q);
    Q_EMIT q.aboutToExit();
    if (alive)
        end(ServerRestart::exitCode);
}

ServerRestart::ServerRestart(Scheduler &scheduler, ServerRestartOptions options, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(*this, scheduler, std::move(options)))
{
}

ServerRestart::~ServerRestart() = default;

bool ServerRestart::isPending() const { return d->isPending; }

ServerRestart::Answer ServerRestart::request(const QString &reason)
{
    if (d->isPending) {
        return {
            QStringLiteral("The server is being restarted already (reason: %1).").arg(d->reason),
            false};
    }
    const RestartMarker marker{markerTime(d->scheduler.clock().utcNow()), markerReason(reason),
                               exitCode, QStringLiteral("exit 42")};
    if (const QString fault = d->marker.write(marker); !fault.isEmpty()) {
        qCWarning(restartCategory).noquote()
            << QStringLiteral("[RST] Server restart refused: ") + fault;
        return {QStringLiteral("The server is not restarted: ") + fault, true};
    }
    qCInfo(restartCategory).noquote()
        << QStringLiteral("[RST] server_restart_requested (reason: %1, "
                          "timestamp: %2, exit code: %3, marker: %4)")
               .arg(reason, toRfc3339(marker.timestamp))
               .arg(exitCode)
               .arg(d->marker.path());
    d->isPending = true;
    d->reason = reason;
    d->exitTime.armIn(d->delay);
    Q_EMIT requested(reason, marker.timestamp);
    return {
        QStringLiteral("Server restart scheduled (reason: %1). Server will exit with code %2 in "
                       "%3, supervisor will spawn new instance.")
            .arg(reason)
            .arg(exitCode)
            .arg(durationToString(d->delay)),
        false};
}

ServerRestart::Answer ServerRestart::verify(const QString &sinceTimestamp) const
{
    const std::optional<UtcTime> since = utcTimeFromIso8601(sinceTimestamp);
    if (!since)
        return {QStringLiteral("since_timestamp: an ISO 8601 time is needed"), true};
    const RestartVerdict verdict = judge(d->marker.read(), *since);
    return {verdict.text, !verdict.isRestarted};
}

} // namespace Rekindle

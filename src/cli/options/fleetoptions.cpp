// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "fleetoptions_p.h"

#include "base/boundedfile_p.h"
#include "json/jsonnode.h"

#include <algorithm>
#include <utility>

namespace Rekindle {

namespace {

constexpr qint64 longestPassword = 4096;

BoundedFile passwordOf(const FleetDefinition &fleet)
{
    return BoundedFile::read(fleet.etcd.passwordFile, longestPassword);
}

QString listedAgents(const Configuration &configuration, bool keep)
{
    QStringList names;
    for (const AgentDefinition &each : configuration.agents) {
        if (each.placement && each.placement->keep == keep)
            names.append(each.name);
    }
    return names.join(QLatin1String(", "));
}

} // namespace

EtcdOptions etcdOptions(const FleetDefinition &fleet)
{
    const FleetDefinition::Etcd &etcd = fleet.etcd;
    EtcdOptions options;
    for (const QString &endpoint : etcd.endpoints)
        options.endpoints.append(QUrl(endpoint, QUrl::StrictMode));
    options.prefix = etcd.prefix.toUtf8();
    options.user = etcd.user;
    if (!etcd.passwordFile.isEmpty())
        options.password = QString::fromUtf8(passwordOf(fleet).bytes.split('\n').value(0));
    options.caFile = etcd.caFile;
    options.certificateFile = etcd.certificateFile;
    options.keyFile = etcd.keyFile;
    return options;
}

QList<Fault> etcdFaults(const Configuration &configuration, const QString &file)
{
    if (!configuration.fleet)
        return {};
    const FleetDefinition &fleet = *configuration.fleet;
    QList<Fault> faults;
    for (qsizetype i = 0; i < fleet.etcd.endpoints.size(); ++i) {
        const QString &endpoint = fleet.etcd.endpoints.at(i);
        if (!QUrl(endpoint, QUrl::StrictMode).isValid())
            faults.append({QStringLiteral("/endpoints/%1").arg(i),
                           QStringLiteral("expected http://HOST:PORT or https://HOST:PORT, found "
                                          "\"%1\"")
                               .arg(printable(endpoint))});
    }
    if (faults.isEmpty())
        faults = etcdOptions(fleet).faults();
    for (Fault &each : faults)
        each.path.prepend(QLatin1String("/fleet/etcd"));
    const QString &passwordFile = fleet.etcd.passwordFile;
    if (!passwordFile.isEmpty()) {
        const BoundedFile read = passwordOf(fleet);
        const QString found = read.isRead() ? QStringLiteral("an empty first line") : read.error;
        if (!read.isRead() || read.bytes.split('\n').value(0).isEmpty())
            faults.append({QStringLiteral("/fleet/etcd/passwordFile"),
                           QStringLiteral("expected a file with a password, found %1: %2")
                               .arg(found, printable(passwordFile))});
    }
    return placedFaults(std::move(faults), file);
}

QString fleetText(const Configuration &configuration)
{
    if (!configuration.fleet)
        return {};
    const FleetDefinition &fleet = *configuration.fleet;
    const FleetTimes &times = fleet.times;
    QString text = QStringLiteral("  fleet: this host is node %1\n").arg(fleet.node);
    const auto add = [&text](const QString &line) { text += QLatin1String("    ") + line + u'\n'; };
    const QString stopped = listedAgents(configuration, false);
    const QString kept = listedAgents(configuration, true);
    if (!stopped.isEmpty()) {
        add(QStringLiteral("runs on at most one node: ") + stopped);
        add(QStringLiteral("an outage of etcd of less than %1 stops none of them")
                .arg(durationToString(times.toleratedOutage())));
        add(QStringLiteral("after a longer outage, their stop begins within %1 and all processes "
                           "are dead within %2 of the last renewal")
                .arg(durationToString(times.giveUp), durationToString(times.kill())));
    }
    if (!kept.isEmpty())
        add(QStringLiteral("can run on several nodes during an outage (onStoreLoss keep): ")
            + kept);
    if (!stopped.isEmpty() || !kept.isEmpty())
        add(QStringLiteral("if a node dies, its agents start on another one %1 to %2 later, plus "
                           "1s for each node that is preferred")
                .arg(durationToString(times.duration - times.renewal),
                     durationToString(times.duration + times.renewal)));
    return text;
}

} // namespace Rekindle

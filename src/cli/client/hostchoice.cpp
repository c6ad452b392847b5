// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "hostchoice_p.h"

#include "hostaddress_p.h"

#include "cli/options/storechoice_p.h"
#include "cli/output/messages_p.h"

#include <rekindle/control/controlclient.h>
#include <rekindle/telemetry/historyreader.h>

#include <CLI/CLI.hpp>
#include <QFileInfo>

#include <algorithm>

namespace Rekindle {

namespace {

constexpr QLatin1String ending(".sock");

// `up` names its socket NAME-HASH, and other hosts APPLICATION-PID. A long name is shortened.
bool hasName(const QString &socket, const QString &name)
{
    const QString own = hostNameOfSocket(socket);
    return own == name || own.left(own.lastIndexOf(u'-')) == name
        || socket == ControlClient::socketPath(name);
}

// An earlier host may have run in the background.
QString logHint(const QString &configuration)
{
    const QString log = logOf(configuration);
    return QFileInfo::exists(log) ? QLatin1String("; the output of `up --detach` is in ") + log
                                  : QString();
}

// "; its last host (process 71) exited at TIME, see `rekindle history --config agents.json`"
QString lastHostText(const QString &configuration)
{
    const QString store = storeOf(configuration);
    if (!QFileInfo::exists(store))
        return {};
    const QList<StoredRun> runs = HistoryReader(store).runs();
    const auto last =
        std::max_element(runs.begin(), runs.end(),
                         [](const StoredRun &a, const StoredRun &b) { return a.begun < b.begun; });
    if (last == runs.end() || !last->hasExited())
        return {};
    return QStringLiteral("; its last host (process %1) %2, see `rekindle history --config %3`")
        .arg(last->processId)
        .arg(last->ended ? QLatin1String("exited at ") + toRfc3339(*last->ended)
                         : QStringLiteral("was killed or crashed"),
             configuration);
}

// Why no host of this configuration was found.
QString noHostText(const QString &configuration)
{
    if (!QFileInfo::exists(configuration))
        return QStringLiteral("--config: %1 does not exist").arg(configuration);
    return QStringLiteral("no running host of %1 (no host listens on %2); start it with "
                          "`rekindle up %1`%3%4")
        .arg(configuration, ControlClient::socketPath(hostNameOf(configuration)),
             lastHostText(configuration), logHint(configuration));
}

} // namespace

QString hostNameOfSocket(const QString &socket)
{
    const QString name = QFileInfo(socket).fileName();
    return name.endsWith(ending) ? name.chopped(ending.size()) : name;
}

void HostChoice::addHostTo(CLI::App &parser, Machines machines)
{
    const bool isLocal = machines == Machines::ThisOnly;
    const std::string remote =
        isLocal ? "" : ", or for a host on another machine, ssh://[USER@]MACHINE[:PORT]/[NAME]";
    addText(parser, "--host", m_host,
            (isLocal ? "The host: its name or the path of its socket"
                     : "The host: its name, the path of its socket")
                + remote + " (default: the only running host; see `rekindle hosts`)",
            isLocal ? "NAME|PATH" : "NAME|PATH|URL");
}

void HostChoice::addTo(CLI::App &parser, Machines machines)
{
    addHostTo(parser, machines);
    addText(parser, "--config", m_configuration,
            "The host is the `rekindle up` of this configuration", "CONFIG")
        ->excludes("--host");
}

std::optional<QString> HostChoice::runningHost() const
{
    if (ControlClient::defaultFolder().isEmpty())
        return {};
    const QStringList hosts = ControlClient::runningHosts();
    if (m_configuration.isEmpty())
        return hosts.size() == 1 ? std::optional(hosts.front()) : std::nullopt;
    const QString socket = ControlClient::socketPath(hostNameOf(m_configuration));
    return hosts.contains(socket) ? std::optional(socket) : std::nullopt;
}

QString HostChoice::choose(Messages &messages) const
{
    if (const HostAddress host(m_host); host.isRemote() && host.command().isEmpty())
        messages.end(
            ExitCode::usage,
            QStringLiteral("--host: expected ssh://[USER@]MACHINE[:PORT]/[NAME], found \"%1\"")
                .arg(m_host));
    if (m_host.contains(u'/'))
        return m_host;
    const QString folder = ControlClient::defaultFolder();
    if (folder.isEmpty())
        messages.end(ExitCode::unavailable,
                     QStringLiteral("no folder for the control socket; set HOME or "
                                    "XDG_RUNTIME_DIR to an absolute path"));
    if (!m_configuration.isEmpty()) {
        if (const std::optional<QString> socket = runningHost())
            return *socket;
        messages.end(ExitCode::unavailable, noHostText(m_configuration));
    }
    QStringList hosts = ControlClient::runningHosts();
    if (!m_host.isEmpty())
        hosts.removeIf([this](const QString &each) { return !hasName(each, m_host); });
    if (hosts.size() == 1)
        return hosts.front();
    if (hosts.isEmpty() && m_host.isEmpty())
        messages.end(ExitCode::unavailable,
                     QStringLiteral("no running host in %1; start one with `rekindle up CONFIG`")
                         .arg(folder));
    if (hosts.isEmpty())
        messages.end(ExitCode::unavailable,
                     QStringLiteral("no running host named %1 in %2; `rekindle hosts` lists the "
                                    "running hosts")
                         .arg(m_host, folder));
    messages.say(QStringLiteral("several hosts are running; select one with --host or --config:"));
    for (const QString &each : std::as_const(hosts))
        messages.say(QLatin1String("  --host ") + hostNameOfSocket(each));
    throw CommandFailure{ExitCode::usage};
}

} // namespace Rekindle

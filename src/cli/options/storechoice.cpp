// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "storechoice_p.h"

#include "cli/output/messages_p.h"
#include "cli/output/texthelpers_p.h"
#include "statefolder_p.h"

#include <rekindle/control/controlclient.h>
#include <rekindle/telemetry/historyreader.h>

#include <CLI/CLI.hpp>

#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace Rekindle {

namespace {

// Empty if there is no state folder.
QString inStateFolder(const QString &name)
{
    const QString folder = stateFolder();
    return folder.isEmpty() ? folder : folder + QLatin1Char('/') + name;
}

// The hash of the origin distinguishes files of the same name.
QString named(const QString &name, const QByteArray &origin)
{
    const QByteArray hash = QCryptographicHash::hash(origin, QCryptographicHash::Sha256);
    return name + QLatin1Char('-') + QString::fromLatin1(hash.left(4).toHex());
}

QString namedAfter(const QString &configuration, QLatin1String ending)
{
    return inStateFolder(hostNameOf(configuration) + ending);
}

QString writersText()
{
    return QStringLiteral("`rekindle up CONFIG`, `rekindle run`, `rekindle mcp` and `rekindle "
                          "tools call --store FILE` create one");
}

// The agents of a store and the time of its last change.
QString contentsOf(const QString &store)
{
    // Before it is read, because a reader creates and removes a log file.
    const QDateTime changed = std::max(QFileInfo(store).lastModified(),
                                       QFileInfo(store + QLatin1String("-wal")).lastModified());
    HistoryReader reader(store);
    const QStringList agents = reader.agents();
    QString text = QStringLiteral("no agents");
    if (!reader.error().isEmpty())
        text = reader.error();
    else if (!agents.isEmpty())
        text = (agents.size() == 1 ? QLatin1String("agent ") : QLatin1String("agents "))
            + listed(agents);
    const auto since = std::chrono::milliseconds(changed.toMSecsSinceEpoch());
    return QStringLiteral("%1; last change %2").arg(text, toRfc3339(UtcTime(since)));
}

// Empty if none or several of the stores contain the agent.
QString onlyStoreOf(const QString &agent, const QDir &folder, const QStringList &stores)
{
    QStringList having;
    for (const QString &name : agent.isEmpty() ? QStringList() : stores) {
        if (HistoryReader(folder.filePath(name)).agents().contains(agent))
            having.append(name);
    }
    return having.size() == 1 ? having.front() : QString();
}

// A default store and the socket of its host have the same name. Empty if none or several of
// the hosts run.
QString onlyWrittenStore(const QStringList &stores)
{
    QStringList written;
    for (const QString &socket : ControlClient::runningHosts()) {
        const QString store = QFileInfo(socket).completeBaseName() + QLatin1String(".sqlite");
        if (stores.contains(store))
            written.append(store);
    }
    return written.size() == 1 ? written.front() : QString();
}

} // namespace

// A link leads to the same configuration.
QString hostNameOf(const QString &configuration)
{
    std::error_code fault;
    const auto canonical = std::filesystem::weakly_canonical(
        QFile::encodeName(QFileInfo(configuration).absoluteFilePath()).toStdString(), fault);
    const QByteArray path = QByteArray::fromStdString(canonical.string());
    return named(QFileInfo(QFile::decodeName(path)).completeBaseName(), path);
}

QString storeOf(const QString &configuration)
{
    return namedAfter(configuration, QLatin1String(".sqlite"));
}

QString storeOfProgram(const QString &name, const QStringList &words)
{
    QByteArray origin = QFile::encodeName(QDir::current().canonicalPath());
    for (const QString &word : words)
        origin += '\0' + word.toUtf8();
    return inStateFolder(named(name, origin) + QLatin1String(".sqlite"));
}

QString stateOf(const QString &configuration)
{
    return namedAfter(configuration, QLatin1String(".state"));
}

QString lockOf(const QString &configuration)
{
    return namedAfter(configuration, QLatin1String(".up"));
}

QString logOf(const QString &configuration)
{
    return namedAfter(configuration, QLatin1String(".log"));
}

QString licenseClockOf(const QString &keyId)
{
    return inStateFolder(QLatin1String("license-") + keyId + QLatin1String(".clock"));
}

void StoreChoice::addTo(CLI::App &parser)
{
    addText(parser, "--store", m_store,
            "Read this telemetry store (default: the only one in "
            "${XDG_STATE_HOME:-~/.local/state}/rekindle, or the only one of a running host)",
            "FILE");
    addText(parser, "--config", m_configuration, "Read the default store of this configuration",
            "CONFIG")
        ->excludes("--store");
}

QString StoreChoice::choose(Messages &messages, const QString &agent) const
{
    if (m_store.isEmpty() && stateFolder().isEmpty())
        messages.end(ExitCode::configuration,
                     noStateFolderText(QStringLiteral("use --store FILE")));
    if (!m_store.isEmpty() || !m_configuration.isEmpty()) {
        QString store = m_store.isEmpty() ? storeOf(m_configuration) : m_store;
        std::error_code fault;
        if (std::filesystem::exists(QFile::encodeName(store).toStdString(), fault))
            return store;
        if (!m_configuration.isEmpty() && !QFileInfo::exists(m_configuration))
            messages.end(ExitCode::noInput,
                         QStringLiteral("--config: %1 does not exist, and there is no telemetry "
                                        "store of it at %2")
                             .arg(m_configuration, store));
        const QString writers = m_configuration.isEmpty()
            ? writersText()
            : QStringLiteral("`rekindle up %1` and `rekindle mcp --config %1` create one")
                  .arg(m_configuration);
        messages.end(ExitCode::noInput,
                     fault ? QStringLiteral("%1: cannot open: %2")
                                 .arg(store, QString::fromStdString(fault.message()))
                           : QStringLiteral("no telemetry store at %1; %2").arg(store, writers));
    }
    const QDir folder(stateFolder());
    const QStringList stores =
        folder.entryList({QStringLiteral("*.sqlite")}, QDir::Files | QDir::Hidden);
    if (stores.size() == 1)
        return folder.filePath(stores.front());
    if (stores.isEmpty())
        messages.end(
            ExitCode::noInput,
            QStringLiteral("no telemetry store in %1; %2; use --store FILE to select another")
                .arg(folder.path(), writersText()));
    for (const QString &name : {onlyStoreOf(agent, folder, stores), onlyWrittenStore(stores)}) {
        if (!name.isEmpty())
            return folder.filePath(name);
    }
    messages.say(
        QStringLiteral("several telemetry stores found; select one with --config or --store:"));
    for (const QString &name : stores) {
        const QString store = folder.filePath(name);
        messages.say(QStringLiteral("  --store %1  (%2)").arg(store, contentsOf(store)));
    }
    throw CommandFailure{ExitCode::usage};
}

void refuseUnreadable(const QString &store, const QString &fault, Messages &messages)
{
    messages.end(ExitCode::noInput, QStringLiteral("%1: %2").arg(store, fault));
}

void refuseContents(const QString &store, const QString &fault, Messages &messages)
{
    messages.end(ExitCode::outputFailed, QStringLiteral("%1: %2").arg(store, fault));
}

QString unknownAgentText(const QString &name, const QStringList &known)
{
    const QString text = QLatin1String("no agent named ") + name;
    return known.isEmpty() ? text : text + QLatin1String("; known agents: ") + listed(known);
}

} // namespace Rekindle

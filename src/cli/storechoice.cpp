// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "storechoice_p.h"

#include "commandline_p.h"
#include "exitcode_p.h"
#include "messages_p.h"

#include <CLI/CLI.hpp>

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>

namespace Rekindle {

namespace {

QString storeFolder()
{
    QString state = qEnvironmentVariable("XDG_STATE_HOME");
    if (!QDir::isAbsolutePath(state)) // a relative one is to be ignored, says the standard
        state = QDir::homePath() + QLatin1String("/.local/state");
    return state + QLatin1String("/rekindle");
}

} // namespace

QString storeOf(const QString &configuration)
{
    // Many a project has an agents.json: the folder tells them apart.
    const QFileInfo file(configuration);
    const QByteArray folder = QFile::encodeName(QFileInfo(file.absolutePath()).canonicalFilePath());
    const QByteArray hash = QCryptographicHash::hash(folder, QCryptographicHash::Sha256);
    return storeFolder() + QLatin1Char('/') + file.completeBaseName() + QLatin1Char('-')
        + QString::fromLatin1(hash.left(4).toHex()) + QLatin1String(".sqlite");
}

void StoreChoice::addTo(CLI::App &parser)
{
    addText(parser, "--store", m_store, "The telemetry store to read", "FILE");
    addText(parser, "--config", m_configuration, "The store of this configuration", "CONFIG");
}

std::optional<QString> StoreChoice::choose(Messages &messages, int &exitCode) const
{
    if (!m_store.isEmpty())
        return m_store;
    if (!m_configuration.isEmpty())
        return storeOf(m_configuration);
    const QDir folder(storeFolder());
    const QStringList stores = folder.entryList({QStringLiteral("*.sqlite")}, QDir::Files);
    if (stores.size() == 1)
        return folder.filePath(stores.front());
    if (stores.isEmpty()) {
        messages.say(QStringLiteral("there is no telemetry store in %1; `rekindle up` makes one, "
                                    "--store names another")
                         .arg(folder.path()));
        exitCode = ExitCode::outputFailed;
        return {};
    }
    messages.say(QStringLiteral("there are several telemetry stores, --store says which:"));
    for (const QString &store : stores)
        messages.say(QLatin1String("  --store ") + folder.filePath(store));
    exitCode = ExitCode::usage;
    return {};
}

} // namespace Rekindle

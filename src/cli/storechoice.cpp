// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "storechoice_p.h"

#include "commandline_p.h"
#include "exitcode_p.h"
#include "fortext_p.h"
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

// Many a project has an agents.json: the folder tells them apart.
QString named(const QString &name, const QByteArray &origin, QLatin1String ending)
{
    const QByteArray hash = QCryptographicHash::hash(origin, QCryptographicHash::Sha256);
    return storeFolder() + QLatin1Char('/') + name + QLatin1Char('-')
        + QString::fromLatin1(hash.left(4).toHex()) + ending;
}

QString namedAfter(const QString &configuration, QLatin1String ending)
{
    const QFileInfo file(configuration);
    const QString folder = QFileInfo(file.absolutePath()).canonicalFilePath();
    return named(file.completeBaseName(), QFile::encodeName(folder), ending);
}

} // namespace

QString storeOf(const QString &configuration)
{
    return namedAfter(configuration, QLatin1String(".sqlite"));
}

// Many a project has several servers that one program starts (npx, python3).
QString storeOfProgram(const QString &name, const QString &program, const QStringList &arguments)
{
    QByteArray origin = QFile::encodeName(QDir::current().canonicalPath());
    for (const QString &word : QStringList(program) + arguments)
        origin += '\0' + word.toUtf8();
    return named(QLatin1String("mcp-") + name, origin, QLatin1String(".sqlite"));
}

QString stateOf(const QString &configuration)
{
    return namedAfter(configuration, QLatin1String(".state"));
}

void StoreChoice::addTo(CLI::App &parser)
{
    addText(parser, "--store", m_store,
            "The telemetry store to read (default: the only one in "
            "${XDG_STATE_HOME:-~/.local/state}/rekindle)",
            "FILE");
    addText(parser, "--config", m_configuration, "The store of this configuration", "CONFIG");
}

std::optional<QString> StoreChoice::choose(Messages &messages, int &exitCode) const
{
    if (!m_store.isEmpty() || !m_configuration.isEmpty()) {
        const QString store = m_store.isEmpty() ? storeOf(m_configuration) : m_store;
        if (QFileInfo::exists(store))
            return store;
        messages.say(
            QStringLiteral("no store at %1 yet: `rekindle up %2` writes one")
                .arg(store,
                     m_configuration.isEmpty() ? QStringLiteral("CONFIG") : m_configuration));
        exitCode = ExitCode::outputFailed;
        return {};
    }
    const QDir folder(storeFolder());
    const QStringList stores =
        folder.entryList({QStringLiteral("*.sqlite")}, QDir::Files | QDir::Hidden);
    if (stores.size() == 1)
        return folder.filePath(stores.front());
    if (stores.isEmpty()) {
        messages.say(QStringLiteral("no store in %1 yet: `rekindle up CONFIG` writes one; --store "
                                    "names another")
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

QString unknownAgentText(const QString &store, const QString &name, const QStringList &known)
{
    const QString text = QStringLiteral("%1: it knows no agent %2").arg(store, name);
    if (known.isEmpty())
        return text + QLatin1String(", nor any other");
    return text + QLatin1String("; agents there: ") + listed(known);
}

} // namespace Rekindle

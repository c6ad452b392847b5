// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "observer/observeroptions_p.h"

#include <rekindle/control/hostaddress.h>
#include <rekindle/version.h>

#include <QCommandLineParser>

#include <cstdio>

#include <sysexits.h>

namespace Rekindle {

std::optional<int> ObserverOptions::parse(const QStringList &arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(
        tr("Shows the agents of running hosts: states over time, decisions, events and output."));
    const QCommandLineOption help = parser.addHelpOption();
    const QCommandLineOption version = parser.addVersionOption();
    const QCommandLineOption shoot(
        QStringLiteral("shoot"),
        tr("Write a screenshot of the window to a PNG file, and exit. No display is needed."),
        tr("FILE"));
    parser.addOption(shoot);
    parser.addPositionalArgument(
        QStringLiteral("HOST"),
        tr("The name of a host, the path of its control socket, or "
           "ssh://[USER@]MACHINE[:PORT]/[NAME]. Default: all hosts of this user."),
        QStringLiteral("[HOST...]"));
    QString fault = parser.parse(arguments) ? QString() : parser.errorText();
    if (fault.isEmpty() && (parser.isSet(help) || parser.isSet(version))) {
        const QString text = parser.isSet(help)
            ? parser.helpText()
            : QStringLiteral("rekindle-observer " REKINDLE_VERSION_STR "\n");
        std::fputs(qPrintable(text), stdout);
        return EX_OK;
    }
    m_hosts = parser.positionalArguments();
    m_picture = parser.value(shoot);
    if (fault.isEmpty() && parser.isSet(shoot) && m_picture.isEmpty())
        fault = tr("--shoot: expected the name of a file");
    for (const QString &each : std::as_const(m_hosts)) {
        const HostAddress address(each);
        if (fault.isEmpty() && address.isRemote() && address.command().isEmpty())
            fault = tr("expected ssh://[USER@]MACHINE[:PORT]/[NAME], found \"%1\"").arg(each);
        else if (fault.isEmpty() && each.isEmpty())
            fault = tr("expected the name of a host, found an empty argument");
    }
    if (fault.isEmpty())
        return {};
    std::fprintf(stderr, "rekindle-observer: %s\n%s\n", qPrintable(fault),
                 qPrintable(tr("Run rekindle-observer --help for more information.")));
    return EX_USAGE;
}

} // namespace Rekindle

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "commandrun.h"

#include <QFileInfo>
#include <QProcessEnvironment>
#include <QRegularExpression>

namespace Rekindle {

/// The output of the shell blocks of a page, in their order.
struct ShellBlocks
{
    QByteArrayList outputs;
    QStringList errors;
    QString fault; ///< the commands that failed, with their stderr; otherwise empty
};

/// Runs all ```sh blocks of docs/PAGE in `folder`, which is also the state folder. The first
/// configuration of the page is agents.json. Stops at the first failure.
inline ShellBlocks runShellBlocks(const QString &page, const QString &folder)
{
    ShellBlocks blocks;
    const QString text =
        QString::fromUtf8(readFile(QStringLiteral(REKINDLE_SOURCE "/docs/") + page));
    const QRegularExpression configuration(
        QStringLiteral("<!-- configuration -->\n```json\n(.*?)```"),
        QRegularExpression::DotMatchesEverythingOption);
    (void)writeFile(folder, QStringLiteral("agents.json"),
                    configuration.match(text).captured(1).toUtf8());
    const QString bin = QFileInfo(QStringLiteral(REKINDLE_COMMAND)).path();
    const QRegularExpression form(QStringLiteral("```sh\n(.*?)```"),
                                  QRegularExpression::DotMatchesEverythingOption);
    for (auto block = form.globalMatch(text); block.hasNext() && blocks.fault.isEmpty();) {
        const QString commands = block.next().captured(1);
        CommandRun run({});
        run.setProgram(QStringLiteral("bash"));
        run.setArguments(words("-ec", commands));
        run.setWorkingDirectory(folder);
        run.setStateFolder(folder);
        run.setVariable("PATH", bin + QLatin1Char(':') + qEnvironmentVariable("PATH"));
        const int code = run.complete();
        blocks.outputs.append(run.output());
        blocks.errors.append(QString::fromUtf8(run.error()));
        if (code != 0)
            blocks.fault = commands + blocks.errors.last();
    }
    return blocks;
}

} // namespace Rekindle

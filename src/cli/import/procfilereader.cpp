// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "importbuilder_p.h"
#include "importreaders_p.h"
#include "importwords_p.h"
#include "json/jsonnode.h"

#include <QRegularExpression>

namespace Rekindle {

namespace {

// Without characters that are special to a shell.
bool needsNoShell(const QString &command)
{
    static const QRegularExpression plain(
        QStringLiteral("\\A[A-Za-z0-9_./:@%+,-]+( +[A-Za-z0-9_./:=@%+,-]+)*\\z"));
    return plain.match(command).hasMatch();
}

} // namespace

Imported readProcfile(QByteArrayView text)
{
    ImportBuilder builder;
    if (!builder.isText(text))
        return builder.take({});
    static const QRegularExpression process(QStringLiteral("\\A([A-Za-z0-9_-]+):\\s*(.+)\\z"));
    int number = 0;
    for (const QString &whole : QString::fromUtf8(text).split(u'\n')) {
        ++number;
        const QString line = whole.trimmed();
        if (line.isEmpty() || line.startsWith(u'#'))
            continue;
        const QRegularExpressionMatch match = process.match(line);
        if (!match.hasMatch()) {
            builder.fault(
                number, 1,
                QStringLiteral("expected NAME: COMMAND, found \"%1\"").arg(printable(line)));
            continue;
        }
        const QString command = match.captured(2);
        ImportedAgent &agent = builder.add(match.captured(1), number);
        if (needsNoShell(command))
            builder.setCommand(agent, number, command.split(u' ', Qt::SkipEmptyParts));
        else
            builder.setCommand(agent, number,
                               {QStringLiteral("sh"), QStringLiteral("-c"), literal(command)});
        agent.members["workingDirectory"] = ".";
        agent.members["environmentFiles"] = {{{"file", ".env"}, {"optional", true}}};
        if (agent.name == QLatin1String("release"))
            builder.note(number, agent.name,
                         QStringLiteral("\"release\" runs once per deployment; remove the agent "
                                        "and run the command by hand"));
        if (command.contains(QLatin1String("$PORT")) || command.contains(QLatin1String("${PORT")))
            builder.note(number, agent.name,
                         QStringLiteral("PORT is not assigned; add it to \"environment\""));
    }
    if (number > 0)
        builder.note(1, {},
                     QStringLiteral("a Procfile has no restart policy; failed agents are restarted "
                                    "by the policy \"default\""));
    return builder.take(QStringLiteral("a process"));
}

} // namespace Rekindle

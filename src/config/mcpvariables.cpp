// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "mcpentry_p.h"

#include <QDir>

#include <algorithm>

namespace Rekindle {

namespace {

bool isVariableName(const QString &name)
{
    return !name.isEmpty() && std::all_of(name.begin(), name.end(), [](QChar c) {
        return c == u'_' || (c.unicode() < 128 && c.isLetterOrNumber());
    });
}

QString environmentVariable(const JsonPlace &place, const QString &name)
{
    const QByteArray key = name.toLocal8Bit();
    if (!qEnvironmentVariableIsSet(key.constData()))
        place.warn(
            QStringLiteral("environment variable %1 is not set, using an empty text").arg(name));
    return qEnvironmentVariable(key.constData());
}

// The value of the text between the braces. A text that is not a variable is a fault.
QString valueOf(const JsonPlace &place, const QString &variable, const QDir &workspace)
{
    if (variable == QLatin1String("workspaceFolder"))
        return workspace.absolutePath();
    if (variable == QLatin1String("workspaceFolderBasename"))
        return QDir(workspace.absolutePath()).dirName();
    if (variable == QLatin1String("userHome"))
        return QDir::homePath();
    if (variable == QLatin1String("pathSeparator") || variable == QLatin1String("/"))
        return QStringLiteral("/");
    if (variable.startsWith(QLatin1String("env:")))
        return environmentVariable(place, variable.mid(4));
    if (variable.startsWith(QLatin1String("input:"))) {
        place.fault(QStringLiteral("expected a string or ${env:NAME}, found ${%1}, for which an "
                                   "editor prompts")
                        .arg(printable(variable)));
        return {};
    }
    // Claude Code has ${NAME} and ${NAME:-DEFAULT}.
    const qsizetype colon = variable.indexOf(QLatin1String(":-"));
    const QString name = variable.left(colon < 0 ? variable.size() : colon);
    if (!isVariableName(name)) {
        place.fault(QStringLiteral("expected ${env:NAME}, ${NAME}, ${NAME:-DEFAULT}, "
                                   "${workspaceFolder} or ${userHome}, found ${%1}")
                        .arg(printable(variable)));
        return {};
    }
    const QString value = qEnvironmentVariable(name.toLocal8Bit().constData());
    if (colon >= 0)
        return value.isEmpty() ? variable.mid(colon + 2) : value;
    return environmentVariable(place, name);
}

} // namespace

QString withVariables(const JsonPlace &place, const QString &text, const QDir &workspace)
{
    QString result;
    qsizetype from = 0;
    for (qsizetype start = text.indexOf(QLatin1String("${")); start >= 0;
         start = text.indexOf(QLatin1String("${"), from)) {
        const qsizetype end = text.indexOf(u'}', start);
        if (end < 0)
            break;
        result += text.mid(from, start - from);
        result += valueOf(place, text.mid(start + 2, end - start - 2), workspace);
        from = end + 1;
    }
    return result + text.mid(from);
}

} // namespace Rekindle

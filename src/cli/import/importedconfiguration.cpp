// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "importedconfiguration_p.h"

#include <algorithm>
#include <array>

namespace Rekindle {

namespace {

constexpr std::array memberOrder{"start",
                                 "tags",
                                 "dependsOn",
                                 "program",
                                 "arguments",
                                 "user",
                                 "group",
                                 "umask",
                                 "nice",
                                 "limits",
                                 "recycle",
                                 "workingDirectory",
                                 "environmentFiles",
                                 "environment",
                                 "ready",
                                 "stdin",
                                 "stdout",
                                 "stderr",
                                 "stop",
                                 "exitCodes",
                                 "health",
                                 "policy"};

// A comment ends at the end of the line.
QByteArray comment(const QString &text) { return "// " + text.simplified().toUtf8() + '\n'; }

QByteArray comment(const Fault &warning, const QString &agent = {})
{
    return comment(QStringLiteral("line %1: %2%3").arg(warning.line).arg(agent, warning.message));
}

// On one line, with blanks; with `separator`, each item of the outermost value on its own.
QByteArray spaced(const Json &value, const QByteArray &separator = " ")
{
    if (!value.is_structured() || value.empty())
        return inlineJson(value);
    QByteArray text;
    for (const auto &[name, item] : value.items()) {
        if (!text.isEmpty())
            text += "," + separator;
        if (value.is_object())
            text += inlineJson(Json(name)) + ": ";
        text += spaced(item);
    }
    if (value.is_object())
        return "{ " + text + " }";
    return "[" + text + "]";
}

QByteArray memberText(const char *name, const Json &value)
{
    constexpr qsizetype longest = 90;
    QByteArray text = spaced(value);
    if (value.is_structured() && text.size() > longest) {
        const qsizetype bracket = value.is_object() ? 2 : 1;
        text = spaced(value, "\n        ").sliced(bracket).chopped(bracket);
        text = "\n        " + text + "\n      ";
        text.prepend(value.is_object() ? '{' : '[').append(value.is_object() ? '}' : ']');
    }
    return "      \"" + QByteArray(name) + "\": " + text + ",\n";
}

QByteArray agentText(const ImportedAgent &agent, const QList<Fault> &warnings)
{
    QByteArray text("    {\n");
    for (const Fault &warning : warnings) {
        if (warning.path == agent.name)
            text += "      " + comment(warning);
    }
    text += memberText("name", agent.name.toStdString());
    text += memberText("kind", "process");
    for (const char *const name : memberOrder) {
        if (const auto member = agent.members.find(name); member != agent.members.end())
            text += memberText(name, *member);
    }
    return text + "    },\n";
}

} // namespace

QByteArray configurationText(const Imported &imported, const QString &source)
{
    QByteArray text =
        comment(QStringLiteral("Imported from %1. Relative paths refer to the folder of this file.")
                    .arg(source));
    text += "// Comments in the agents name what could not be converted.\n{\n";
    const auto isAgent = [&](const QString &name) {
        return imported
            && std::ranges::find(imported.value->agents, name, &ImportedAgent::name)
            != imported.value->agents.end();
    };
    for (const Fault &warning : imported.warnings) {
        if (!isAgent(warning.path))
            text += "  "
                + comment(warning,
                          warning.path.isEmpty() ? QString() : warning.path + QLatin1String(": "));
    }
    text += "  \"agents\": [\n";
    if (imported) {
        for (const ImportedAgent &agent : imported.value->agents)
            text += agentText(agent, imported.warnings);
    }
    return text + "  ],\n}\n";
}

} // namespace Rekindle

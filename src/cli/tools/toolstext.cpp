// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "toolstext_p.h"

#include "cli/output/agenttable_p.h"
#include "cli/output/exitcode_p.h"
#include "cli/output/texthelpers_p.h"
#include "json/jsonwriter.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QMap>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace Rekindle {

namespace {

constexpr qsizetype maximumNameWidth = 40;
constexpr int minimumDescriptionWidth = 20;

// Only what the server states, without the defaults of the protocol. Read-only excludes the other
// hints.
QString annotationsOf(const McpTool &tool)
{
    const QJsonObject hints = tool.json[QLatin1String("annotations")].toObject();
    if (tool.isReadOnly())
        return QStringLiteral("read-only");
    QStringList words;
    if (tool.isIdempotent())
        words.append(QStringLiteral("idempotent"));
    if (hints.contains(QLatin1String("destructiveHint")))
        words.append(tool.isDestructive() ? QStringLiteral("destructive")
                                          : QStringLiteral("additive"));
    return words.isEmpty() ? QStringLiteral("-") : words.join(u',');
}

QString descriptionOf(const McpTool &tool)
{
    return tool.json[QLatin1String("description")].toString().simplified();
}

// Compact, with the keys in the order of the server, unless only Qt's parser accepts its text.
QByteArray compact(const QByteArray &text, const QJsonObject &object)
{
    using Json = nlohmann::ordered_json;
    const Json json = Json::parse(text.begin(), text.end(), nullptr, false);
    return json.is_discarded()
        ? QJsonDocument(object).toJson(QJsonDocument::Compact)
        : QByteArray::fromStdString(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

void writeError(JsonWriter &json, const McpError &error)
{
    json.member("kind", toText(error.kind));
    json.member("message", error.message);
    if (error.kind == McpError::Kind::Refused) {
        json.member("code", error.code);
        if (!error.data.isUndefined()) {
            json.key("data");
            json.json(compactJson(error.data));
        }
    }
    if (error.process.exitCode)
        json.member("exitCode", *error.process.exitCode);
    if (error.process.signal)
        json.member("signal", *error.process.signal);
}

} // namespace

QByteArray toolTable(const QList<McpTool> &tools, int width)
{
    const QString name = QStringLiteral("NAME");
    const QString annotations = QStringLiteral("ANNOTATIONS");
    qsizetype nameWidth = name.size();
    qsizetype hintWidth = annotations.size();
    for (const McpTool &tool : tools) {
        nameWidth = std::max(nameWidth, std::min(tool.name.size(), maximumNameWidth));
        hintWidth = std::max(hintWidth, annotationsOf(tool).size());
    }
    const int left =
        std::max(minimumDescriptionWidth, width - int(nameWidth + hintWidth) - 2 * columnGap);
    QByteArray text;
    const auto add = [&](const QString &one, const QString &two, const QString &three) {
        // A longer name is not cut, because it is needed for `tools call`.
        const QString line = one.leftJustified(nameWidth + columnGap)
            + two.leftJustified(hintWidth + columnGap) + cut(three, left);
        text += forTerminal(line.trimmed().toLocal8Bit()) + '\n';
    };
    add(name, annotations, QStringLiteral("DESCRIPTION"));
    for (const McpTool &tool : tools)
        add(tool.name, annotationsOf(tool), descriptionOf(tool));
    return text;
}

QByteArray toolsAsJson(const QList<McpTool> &tools)
{
    QByteArray text;
    JsonWriter json(text);
    json.array(tools, [&json](const McpTool &tool) { json.json(compact(tool.text, tool.json)); });
    return onLines(text) + '\n';
}

QByteArray resultText(const ToolResult &result)
{
    const QString text = result.text();
    const QJsonValue structured = result.result[QLatin1String("structuredContent")];
    if (text.isEmpty() && structured.isObject())
        return QJsonDocument(structured.toObject()).toJson(QJsonDocument::Compact) + '\n';
    QByteArray bytes = text.toUtf8();
    if (!bytes.isEmpty() && !bytes.endsWith('\n'))
        bytes += '\n';
    return bytes;
}

QString unshownContent(const ToolResult &result)
{
    QMap<QString, int> kinds;
    for (const auto &part : result.result[QLatin1String("content")].toArray()) {
        const QString kind = part[QLatin1String("type")].toString();
        if (kind != QLatin1String("text"))
            ++kinds[kind];
    }
    QStringList parts;
    for (auto kind = kinds.cbegin(); kind != kinds.cend(); ++kind)
        parts.append(QStringLiteral("%1 %2").arg(kind.value()).arg(kind.key()));
    return parts.join(QLatin1String(", "));
}

QByteArray outcomeAsJson(const QString &tool, const ToolCallOutcome &outcome)
{
    return jsonObject([&](JsonWriter &json) {
               json.member("tool", tool);
               json.member("end", toText(outcome.end));
               json.member("attempts", outcome.attempts.size());
               json.member("durationMs", outcome.duration);
               if (outcome.breakerOpened)
                   json.member("breakerOpened", true);
               if (outcome.retryAfter)
                   json.member("retryAfterMs", *outcome.retryAfter);
               if (outcome.result.error) {
                   json.object("error", [&] { writeError(json, *outcome.result.error); });
               } else {
                   json.key("result");
                   json.json(compact(outcome.result.resultText, outcome.result.result));
               }
           })
        + '\n';
}

int exitCodeOf(const ToolCallOutcome &outcome)
{
    constexpr int notExecutable = 126;
    constexpr int notFound = 127;
    if (outcome.end == ToolCallEnd::DeadlineExceeded)
        return ExitCode::deadlineExceeded;
    if (outcome.end == ToolCallEnd::BreakerOpen)
        return ExitCode::tryLater;
    if (!outcome.result.error)
        return outcome.result.isError() ? ExitCode::toolFailed : ExitCode::fine;
    const McpError &error = *outcome.result.error;
    const int code = error.process.exitCode.value_or(0);
    if (error.kind == McpError::Kind::NotReady && (code == notFound || code == notExecutable))
        return code;
    return ExitCode::unavailable;
}

} // namespace Rekindle

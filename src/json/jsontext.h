// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStringList>

#include <nlohmann/json.hpp>

namespace Rekindle {

/// JSON output, except for the lines of events.
using Json = nlohmann::ordered_json;

/// Converts an object of the public API.
inline Json toJson(const QJsonObject &object)
{
    return Json::parse(QJsonDocument(object).toJson(QJsonDocument::Compact).toStdString());
}

inline Json textsJson(const QStringList &texts)
{
    Json json = Json::array();
    for (const QString &each : texts)
        json.push_back(each.toStdString());
    return json;
}

/// A line of JSON. Invalid UTF-8 is replaced.
inline QByteArray compactJson(const Json &json, int indent = -1)
{
    const std::string text = json.dump(indent, ' ', false, Json::error_handler_t::replace);
    return QByteArray::fromStdString(text) + '\n';
}

/// The same without the line end, for a part of a message.
inline QByteArray inlineJson(const Json &json) { return compactJson(json).chopped(1); }

/// A text on several lines.
inline QByteArray indentedJson(const Json &json) { return compactJson(json, 2); }

} // namespace Rekindle

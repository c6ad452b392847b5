// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "parameterschema_p.h"
#include "json/jsonnode.h"
#include "json/jsonwriter.h"

#include <rekindle/policy/timepoint.h>

#include <cmath>

namespace Rekindle {

namespace {

QString asJson(const QJsonValue &value)
{
    const QString text = QString::fromUtf8(compactJson(value));
    constexpr qsizetype longest = 80;
    return text.size() > longest ? text.left(longest) + QStringLiteral("...") : text;
}

// Sets the error if the object has other keywords than these.
void checkKeywords(QJsonObject schema, std::initializer_list<const char *> known, QString &error)
{
    for (const char *const keyword : known)
        schema.remove(QLatin1String(keyword));
    for (const char *const comment : {"title", "description", "$schema", "$comment"})
        schema.remove(QLatin1String(comment));
    if (!schema.isEmpty())
        error = QStringLiteral("unsupported keyword \"%1\"").arg(schema.begin().key());
}

} // namespace

bool ParameterSchema::Property::hasType(const QJsonValue &value) const
{
    if (isDuration)
        return value.isString() && durationFromString(value.toString());
    if (type == QLatin1String("string"))
        return value.isString();
    if (type == QLatin1String("boolean"))
        return value.isBool();
    if (type == QLatin1String("integer"))
        return value.isDouble() && std::floor(value.toDouble()) == value.toDouble();
    return value.isDouble();
}

double ParameterSchema::Property::amount(const QJsonValue &value) const
{
    if (!isDuration)
        return value.toDouble();
    return toMilliseconds(durationFromString(value.toString()).value_or(Duration{0}));
}

bool ParameterSchema::Property::isInRange(const QJsonValue &value) const
{
    return (minimum.isUndefined() || amount(value) >= amount(minimum))
        && (maximum.isUndefined() || amount(value) <= amount(maximum));
}

QString ParameterSchema::Property::faultOf(const QJsonValue &value) const
{
    const auto expected = [&value](const QString &what) {
        return QStringLiteral("expected %1, found %2").arg(what, asJson(value));
    };
    if (!hasType(value))
        return expected(isDuration ? QStringLiteral("a duration such as \"500ms\" or \"5s\"")
                                   : QStringLiteral("type ") + type);
    if (!allowed.isEmpty() && !allowed.contains(value)) {
        QStringList texts;
        for (const auto &each : allowed)
            texts.append(asJson(each));
        return expected(QStringLiteral("one of ") + texts.join(QLatin1String(", ")));
    }
    if (pattern && !pattern->match(value.toString()).hasMatch())
        return expected(QStringLiteral("text that matches ") + pattern->pattern());
    if (isInRange(value))
        return {};
    if (maximum.isUndefined())
        return expected(QStringLiteral("at least ") + asJson(minimum));
    if (minimum.isUndefined())
        return expected(QStringLiteral("at most ") + asJson(maximum));
    return expected(asJson(minimum) + QStringLiteral(" to ") + asJson(maximum));
}

std::optional<ParameterSchema::Property> ParameterSchema::readProperty(const QJsonObject &schema,
                                                                       QString &error)
{
    static const QStringList types = {QStringLiteral("string"), QStringLiteral("boolean"),
                                      QStringLiteral("integer"), QStringLiteral("number")};
    checkKeywords(schema, {"type", "format", "minimum", "maximum", "enum", "pattern", "default"},
                  error);
    if (!error.isEmpty())
        return {};
    Property property;
    property.type = schema[QLatin1String("type")].toString();
    const QJsonValue format = schema[QLatin1String("format")];
    property.isDuration = format == QLatin1String("duration");
    const bool isText = property.type == QLatin1String("string");
    if (!types.contains(property.type))
        error = QStringLiteral("type must be one of %1").arg(types.join(QLatin1String(", ")));
    else if (!format.isUndefined() && !(property.isDuration && isText))
        error = QStringLiteral("format must be \"duration\" and the type \"string\"");
    if (!error.isEmpty())
        return {};

    const Property typeOnly = property;
    const bool hasRange = property.isDuration || !(isText || property.type == types[1]);
    property.minimum = schema[QLatin1String("minimum")];
    property.maximum = schema[QLatin1String("maximum")];
    for (const QJsonValue &limit : {property.minimum, property.maximum}) {
        const bool ofType = property.isDuration ? typeOnly.hasType(limit) : limit.isDouble();
        if (!limit.isUndefined() && !(hasRange && ofType))
            error = QStringLiteral("minimum or maximum does not match the type");
    }
    property.allowed = schema[QLatin1String("enum")].toArray();
    if (schema.contains(QLatin1String("enum")) && property.allowed.isEmpty())
        error = QStringLiteral("enum must be an array with values");
    if (const QJsonValue pattern = schema[QLatin1String("pattern")]; !pattern.isUndefined()) {
        property.pattern.emplace(pattern.toString());
        if (!pattern.isString() || !property.pattern->isValid() || !isText || property.isDuration)
            error = QStringLiteral("pattern must be a regular expression and the type \"string\"");
    }
    property.defaultValue = schema[QLatin1String("default")];
    if (error.isEmpty() && !property.defaultValue.isUndefined()) {
        if (const QString fault = property.faultOf(property.defaultValue); !fault.isEmpty())
            error = QStringLiteral("default: ") + fault;
    }
    return error.isEmpty() ? std::optional(property) : std::nullopt;
}

std::optional<ParameterSchema> ParameterSchema::read(const QJsonObject &schema, QString &error)
{
    error.clear();
    checkKeywords(schema, {"type", "properties", "required", "additionalProperties"}, error);
    if (error.isEmpty() && schema[QLatin1String("type")] != QLatin1String("object"))
        error = QStringLiteral("type must be \"object\"");
    ParameterSchema result;
    const QJsonValue others = schema[QLatin1String("additionalProperties")];
    if (!others.isUndefined() && !others.isBool())
        error = QStringLiteral("additionalProperties must be true or false");
    result.m_closed = !others.toBool(true);
    const QJsonObject properties = schema[QLatin1String("properties")].toObject();
    for (auto each = properties.begin(); error.isEmpty() && each != properties.end(); ++each) {
        const std::optional<Property> property = readProperty(each.value().toObject(), error);
        if (property)
            result.m_properties.insert(each.key(), *property);
        else
            error = each.key() + QStringLiteral(": ") + error;
    }
    for (const auto &each : schema[QLatin1String("required")].toArray()) {
        result.m_required.append(each.toString());
        if (error.isEmpty() && !result.m_properties.contains(each.toString()))
            error = QStringLiteral("required contains \"%1\", which is not a property")
                        .arg(each.toString());
    }
    return error.isEmpty() ? std::optional(result) : std::nullopt;
}

QList<Fault> ParameterSchema::check(const QJsonObject &parameters, const QString &pointer) const
{
    QList<Fault> faults;
    for (auto each = parameters.begin(); each != parameters.end(); ++each) {
        const QString path = pointer + pointerToken(each.key());
        const auto property = m_properties.constFind(each.key());
        if (property == m_properties.constEnd()) {
            if (m_closed) {
                faults.append({path,
                               QStringLiteral("unknown parameter; expected one of %1")
                                   .arg(m_properties.isEmpty()
                                            ? QStringLiteral("none")
                                            : m_properties.keys().join(QLatin1String(", ")))});
            }
        } else if (const QString fault = property->faultOf(each.value()); !fault.isEmpty()) {
            faults.append({path, fault});
        }
    }
    for (const QString &name : m_required) {
        if (!parameters.contains(name))
            faults.append({pointer, QStringLiteral("missing parameter \"%1\"").arg(name)});
    }
    return faults;
}

QJsonObject ParameterSchema::withDefaults(QJsonObject parameters) const
{
    for (auto each = m_properties.begin(); each != m_properties.end(); ++each) {
        if (!each->defaultValue.isUndefined() && !parameters.contains(each.key()))
            parameters.insert(each.key(), each->defaultValue);
    }
    return parameters;
}

} // namespace Rekindle

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/validation.h>

#include <QJsonArray>
#include <QJsonObject>
#include <QList>
#include <QMap>
#include <QRegularExpression>
#include <QString>
#include <QStringList>

#include <optional>

namespace Rekindle {

/// The schema that a plug-in's parameters are checked against: a small part of JSON Schema, written
/// down in docs/evaluators.md. A keyword beyond it is an error, not something to overlook.
class ParameterSchema
{
public:
    /// Nothing if it is no such schema; `error` says why.
    [[nodiscard]] static std::optional<ParameterSchema> read(const QJsonObject &schema,
                                                             QString &error);

    /// All faults of the parameters; their paths begin with `pointer`.
    [[nodiscard]] QList<Fault> check(const QJsonObject &parameters, const QString &pointer) const;

    [[nodiscard]] QJsonObject withDefaults(QJsonObject parameters) const;

private:
    struct Property
    {
        QString type;
        bool isDuration = false;
        QJsonValue minimum; ///< a number, or a duration's text
        QJsonValue maximum;
        QJsonArray allowed;                        ///< enum; empty: any
        std::optional<QRegularExpression> pattern; ///< of a string, which need not match as a whole
        QJsonValue usual;                          ///< default

        [[nodiscard]] QString typeName() const;
        [[nodiscard]] bool hasType(const QJsonValue &value) const;
        [[nodiscard]] bool isInRange(const QJsonValue &value) const;
        /// What is wrong with a value; empty if nothing.
        [[nodiscard]] QString faultOf(const QJsonValue &value) const;
        [[nodiscard]] double amount(const QJsonValue &value) const;
    };

    [[nodiscard]] static std::optional<Property> readProperty(const QJsonObject &schema,
                                                              QString &error);

    QMap<QString, Property> m_properties;
    QStringList m_required;
    bool m_closed = false; ///< additionalProperties: false
};

} // namespace Rekindle

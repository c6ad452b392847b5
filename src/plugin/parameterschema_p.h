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

/// The schema of a plug-in's parameters: a subset of JSON Schema, see docs/evaluators.md. Other
/// keywords are errors.
class ParameterSchema
{
public:
    /// Returns nothing and sets `error` if `schema` is invalid.
    [[nodiscard]] static std::optional<ParameterSchema> read(const QJsonObject &schema,
                                                             QString &error);

    /// Returns all faults of the parameters; their paths begin with `pointer`.
    [[nodiscard]] QList<Fault> check(const QJsonObject &parameters, const QString &pointer) const;

    [[nodiscard]] QJsonObject withDefaults(QJsonObject parameters) const;

private:
    struct Property
    {
        QString type;
        bool isDuration = false;
        QJsonValue minimum; ///< a number, or the text of a duration
        QJsonValue maximum;
        QJsonArray allowed;                        ///< enum; empty: any
        std::optional<QRegularExpression> pattern; ///< may match a part of the string
        QJsonValue defaultValue;

        [[nodiscard]] bool hasType(const QJsonValue &value) const;
        [[nodiscard]] bool isInRange(const QJsonValue &value) const;
        /// Returns the fault of a value; empty if it is valid.
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

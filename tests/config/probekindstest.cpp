// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "allprobekinds.h"
#include "policy/internal/healthfields.h"
#include "testprogram.h"

#include <rekindle/config/configuration.h>

using namespace Rekindle;
using namespace Rekindle::HealthFields;

namespace {

// Descriptions are for people and not compared.
QJsonValue withoutDescriptions(const QJsonValue &value)
{
    if (value.isArray()) {
        QJsonArray items;
        for (const QJsonValue &item : value.toArray())
            items.append(withoutDescriptions(item));
        return items;
    }
    if (!value.isObject())
        return value;
    QJsonObject object = value.toObject();
    for (auto member = object.begin(); member != object.end();) {
        if (member.key() == QLatin1String("description") && member->isString()) {
            member = object.erase(member);
        } else {
            *member = withoutDescriptions(*member);
            ++member;
        }
    }
    return object;
}

QJsonObject schemaOf(const ProbeField &field)
{
    const QJsonObject text{{QStringLiteral("type"), QStringLiteral("string")}};
    QJsonObject schema = text;
    QJsonObject notEmpty = text;
    notEmpty.insert(QStringLiteral("minLength"), 1);
    switch (field.type) {
    case ProbeField::Type::Text:
        schema = notEmpty;
        break;
    case ProbeField::Type::Integer:
        schema = {{QStringLiteral("type"), QStringLiteral("integer")},
                  {QStringLiteral("minimum"), field.least},
                  {QStringLiteral("maximum"), field.greatest}};
        break;
    case ProbeField::Type::Command:
        schema = {{QStringLiteral("type"), QStringLiteral("array")},
                  {QStringLiteral("prefixItems"), QJsonArray{notEmpty}},
                  {QStringLiteral("items"), text},
                  {QStringLiteral("minItems"), 1}};
        break;
    case ProbeField::Type::HttpUrl:
        schema.insert(QStringLiteral("pattern"), QStringLiteral("^https?://.|\\$\\{"));
        break;
    }
    if (!field.isRequired())
        schema.insert(QStringLiteral("default"), field.standard.toJsonValue());
    return schema;
}

template<typename Value, typename Type>
QJsonObject schemaOf(const Field<HealthSchedule, Value, Type> &field,
                     const HealthSchedule &schedule)
{
    const QJsonObject duration{{QStringLiteral("$ref"), QStringLiteral("#/$defs/duration")}};
    if constexpr (std::is_same_v<Value, int>) {
        return {{QStringLiteral("type"), QStringLiteral("integer")},
                {QStringLiteral("minimum"), field.type.least},
                {QStringLiteral("maximum"), field.type.greatest},
                {QStringLiteral("default"), schedule.*field.member}};
    } else {
        QJsonObject schema = duration;
        if constexpr (std::is_same_v<Value, Duration>)
            schema.insert(QStringLiteral("default"), durationToString(schedule.*field.member));
        return schema;
    }
}

QJsonObject schemaOf(const ProbeKind &kind, ProbeKind::Use use)
{
    HealthSchedule schedule;
    if (use == ProbeKind::Use::Readiness)
        schedule.interval = std::chrono::milliseconds(500);
    QJsonObject properties{
        {QStringLiteral("kind"), QJsonObject{{QStringLiteral("const"), kind.name}}}};
    QJsonArray required{QStringLiteral("kind")};
    for (const ProbeField &field : kind.fields) {
        properties.insert(field.key, schemaOf(field));
        if (field.isRequired())
            required.append(field.key);
    }
    const auto insert = [&](const auto &field) {
        properties.insert(field.key, schemaOf(field, schedule));
    };
    forEach(probeFields, insert);
    if (use != ProbeKind::Use::Readiness)
        forEach(healthFields, insert);
    return {{QStringLiteral("type"), QStringLiteral("object")},
            {QStringLiteral("properties"), properties},
            {QStringLiteral("required"), required},
            {QStringLiteral("additionalProperties"), false}};
}

} // namespace

/// The schema agrees with the table of probe kinds. Another test compares the page with the schema.
class ProbeKindsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void schemaHasEveryKind_data()
    {
        QTest::addColumn<const ProbeKind *>("kind");
        QTest::addColumn<ProbeKind::Use>("use");
        QTest::addColumn<QJsonArray>("alternatives");
        const QJsonObject definitions =
            QJsonDocument::fromJson(configurationSchema()).object()[u"$defs"].toObject();
        const QJsonArray readiness = definitions[u"readinessProbe"][u"anyOf"].toArray();
        const QJsonArray health = definitions[u"probe"][u"anyOf"].toArray();
        QJsonArray serverHealth = definitions[u"serverHealth"][u"items"][u"anyOf"].toArray();
        serverHealth.removeFirst(); // a reference to `probe`
        for (const QJsonValue &each : health)
            serverHealth.append(each);
        for (const ProbeKind *kind : allProbeKinds()) {
            const auto row = [&](ProbeKind::Use use, const char *where,
                                 const QJsonArray &alternatives) {
                QTest::addRow("%s in %s", qPrintable(kind->name), where)
                    << kind << use << alternatives;
            };
            row(ProbeKind::Use::Readiness, "ready", readiness);
            row(ProbeKind::Use::ProcessHealth, "health", health);
            row(ProbeKind::Use::ServerHealth, "health of a server", serverHealth);
        }
    }

    void schemaHasEveryKind()
    {
        QFETCH(const ProbeKind *, kind);
        QFETCH(const ProbeKind::Use, use);
        QFETCH(const QJsonArray, alternatives);
        QJsonObject found;
        for (const QJsonValue &each : alternatives) {
            if (each[u"properties"][u"kind"][u"const"] == kind->name)
                found = withoutDescriptions(each).toObject();
        }
        const QJsonObject expected =
            kind->uses.testFlag(use) ? schemaOf(*kind, use) : QJsonObject();
        QCOMPARE(QJsonDocument(found).toJson(), QJsonDocument(expected).toJson());
    }
};

REKINDLE_TEST(ProbeKindsTest)
#include "probekindstest.moc"

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "policy/definition/policyfields_p.h"
#include "testprogram.h"

#include <rekindle/policy/policyjson.h>

using namespace Rekindle;
using namespace Rekindle::PolicyFields;

namespace {

QJsonObject readSchema()
{
    QFile file(QStringLiteral(SCHEMA));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("cannot open %s", SCHEMA);
    return QJsonDocument::fromJson(file.readAll()).object();
}

// Compares the schema with the tables; collects the differences.
class SchemaCheck
{
public:
    [[nodiscard]] const QStringList &differences() const { return m_differences; }

    void fields(const QJsonObject &schema, const auto &table, const QJsonObject &defaults,
                const QString &path)
    {
        const QJsonObject properties = schema[u"properties"].toObject();
        QStringList keys;
        QJsonArray required;
        forEach(table, [&](const auto &field) {
            const QString key = field.key;
            const QString fieldPath = path + u'/' + key;
            keys.append(key);
            if (field.required)
                required.append(key);
            QJsonObject found = properties[key].toObject();
            expect(found.contains(u"default") ? found[u"default"] : defaults[key], defaults[key],
                   fieldPath + QStringLiteral(" default"));
            const QString ranges =
                found[u"description"].toString() + u' ' + schema[u"description"].toString();
            if (!field.empty.isEmpty())
                found = withoutText(found, field.empty, fieldPath);
            found.insert(QStringLiteral("description"), ranges);
            type(found, field.type, defaults[key], fieldPath);
        });
        keys.sort();
        expect(QJsonArray::fromStringList(properties.keys()), QJsonArray::fromStringList(keys),
               path + QStringLiteral(" keys"));
        expect(schema[u"required"].toArray(), required, path + QStringLiteral(" required"));
    }

private:
    void expect(const QJsonValue &found, const QJsonValue &expected, const QString &path)
    {
        const std::optional<Duration> duration = durationFromString(found.toString());
        if (duration ? duration != durationFromString(expected.toString()) : found != expected)
            m_differences << path;
    }

    // {"anyOf": [{"const": "off"}, OTHER]}, in any order; returns the other one.
    QJsonObject withoutText(const QJsonObject &schema, QLatin1String text, const QString &path)
    {
        const QJsonArray choices = schema[u"anyOf"].toArray();
        const QJsonObject constant{{QStringLiteral("const"), text}};
        expect(choices.size(), 2, path + QStringLiteral(" choices"));
        expect(choices.contains(constant), true, path + QStringLiteral(" const"));
        return choices[choices[0] == constant ? 1 : 0].toObject();
    }

    void type(const QJsonObject &found, Flag, const QJsonValue &, const QString &path)
    {
        expect(found[u"type"], QStringLiteral("boolean"), path);
    }
    void type(const QJsonObject &found, Text, const QJsonValue &, const QString &path)
    {
        expect(found[u"type"], QStringLiteral("string"), path);
        expect(found[u"minLength"], 1, path);
    }
    void type(const QJsonObject &found, AnyObject, const QJsonValue &, const QString &path)
    {
        expect(found[u"type"], QStringLiteral("object"), path);
    }
    template<typename Number>
    void type(const QJsonObject &found, const Range<Number> &range, const QJsonValue &,
              const QString &path)
    {
        const bool whole = std::is_same_v<Number, int>;
        expect(found[u"type"], QLatin1String(whole ? "integer" : "number"), path);
        expect(found[u"minimum"], range.least, path);
        expect(found[u"maximum"], range.greatest, path);
    }
    // The schema has the range of a duration in a description: "1ms to 7d", "initialDelay to 7d".
    void type(const QJsonObject &found, const Range<Duration> &range, const QJsonValue &,
              const QString &path)
    {
        expect(found[u"$ref"], QStringLiteral("#/$defs/duration"), path);
        static const QRegularExpression form(QStringLiteral("(\\w+) to (\\w+)"));
        bool described = false;
        for (const QRegularExpressionMatch &match :
             form.globalMatch(found[u"description"].toString())) {
            const std::optional<Duration> least = durationFromString(match.captured(1));
            const bool fits = (!least || *least == range.least)
                && durationFromString(match.captured(2)) == range.greatest;
            described = described || fits;
        }
        expect(described, true, path + QStringLiteral(" range"));
    }
    template<typename Rows>
    void type(const QJsonObject &found, const Choice<Rows> &choice, const QJsonValue &,
              const QString &path)
    {
        QJsonArray names;
        for (const auto &row : choice.rows)
            names.append(QString(row.name));
        expect(found[u"enum"], names, path);
    }
    void type(const QJsonObject &found, const DurationList &list, const QJsonValue &defaults,
              const QString &path)
    {
        expect(found[u"type"], QStringLiteral("array"), path);
        expect(found[u"maxItems"], list.most, path);
        QJsonObject items = found[u"items"].toObject();
        items.insert(QStringLiteral("description"), found[u"description"]);
        type(items, list.each, defaults, path);
    }
    void type(const QJsonObject &found, const Permanent &permanent, const QJsonValue &defaults,
              const QString &path)
    {
        const QJsonArray choices = found[u"items"].toObject()[u"anyOf"].toArray();
        type(choices[0].toObject(), permanent.code, defaults, path);
        expect(choices[0].toObject()[u"not"],
               QJsonObject{{QStringLiteral("const"), permanent.never}}, path);
    }
    template<typename T, typename Fields>
    void type(const QJsonObject &found, const Object<T, Fields> &object, const QJsonValue &defaults,
              const QString &path)
    {
        expect(found[u"additionalProperties"], false, path);
        fields(found, object.fields, defaults.toObject(), path);
    }

    QStringList m_differences;
};

} // namespace

class PolicyFieldsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void schemaHasTheSameKeysTypesRangesAndDefaults();
};

void PolicyFieldsTest::schemaHasTheSameKeysTypesRangesAndDefaults()
{
    const QJsonObject schema = readSchema()[u"$defs"].toObject()[u"policy"].toObject();
    RestartPolicy policy;
    policy.evaluator.emplace(); // absent by default, with defaults of its own keys
    const QJsonObject defaults = QJsonDocument::fromJson(toJson(policy)).object();
    SchemaCheck check;
    check.fields(schema, policyFields, defaults, QString());
    QCOMPARE(check.differences().join(u'\n'), QString());
}

REKINDLE_TEST(PolicyFieldsTest)
#include "policyfieldstest.moc"

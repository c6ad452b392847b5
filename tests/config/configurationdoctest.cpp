// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "allprobekinds.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/config/configuration.h>
#include <rekindle/config/mcpservers.h>
#include <rekindle/policy/policyjson.h>
#include <rekindle/policy/presets.h>

#include <algorithm>

using namespace Rekindle;

namespace {

const QString docs = QStringLiteral(REKINDLE_SOURCE "/docs/");

QString textOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

struct Block
{
    QString marker; ///< the first word of the comment <!-- ... --> before it; may be empty
    QString text;
    int line = 0;
    qsizetype end = 0; ///< position of its end in the page
};

QList<Block> blocksOf(const QString &page, const QString &language)
{
    const QRegularExpression form(
        QStringLiteral("^(?:<!-- (\\w+)(?: \\S+)? -->\\n)?```%1\\n(.*?)\\n```$").arg(language),
        QRegularExpression::MultilineOption | QRegularExpression::DotMatchesEverythingOption);
    QList<Block> blocks;
    for (auto match = form.globalMatch(page); match.hasNext();) {
        const QRegularExpressionMatch found = match.next();
        const auto line = static_cast<int>(page.left(found.capturedStart(2)).count(u'\n'));
        blocks.append({found.captured(1), found.captured(2), line, found.capturedEnd()});
    }
    return blocks;
}

/// The descriptions of the keys of one object in the schema, and of the keys of its members.
class SchemaKeys
{
public:
    SchemaKeys(const QJsonObject &root, const QJsonObject &object, const QStringList &leaves)
        : m_definitions(root[u"$defs"].toObject())
        , m_leaves(leaves)
    {
        collect(object, {});
    }

    /// By path, such as "jitter.kind". A key with several descriptions has several entries.
    [[nodiscard]] const QMultiMap<QString, QJsonObject> &keys() const { return m_keys; }

    /// The description and its alternatives.
    [[nodiscard]] QList<QJsonObject> alternatives(const QJsonObject &description) const
    {
        QList<QJsonObject> all{resolved(description)};
        for (const QJsonValue &each : all.front()[u"anyOf"].toArray())
            all += alternatives(each.toObject());
        return all;
    }

private:
    [[nodiscard]] QJsonObject resolved(const QJsonObject &description) const
    {
        const QString reference = description[u"$ref"].toString();
        QJsonObject object = m_definitions[reference.section(u'/', -1)].toObject();
        for (auto own = description.begin(); own != description.end(); ++own)
            object.insert(own.key(), own.value());
        return object;
    }

    void collect(const QJsonObject &description, const QString &path)
    {
        for (const QJsonObject &each : alternatives(description)) {
            const QJsonObject properties = each[u"properties"].toObject();
            for (auto key = properties.begin(); key != properties.end(); ++key) {
                const QString name = path.isEmpty() ? key.key() : path + u'.' + key.key();
                m_keys.insert(name, resolved(key.value().toObject()));
                if (!m_leaves.contains(name))
                    collect(key.value().toObject(), name);
            }
        }
    }

    QJsonObject m_definitions;
    QStringList m_leaves;
    QMultiMap<QString, QJsonObject> m_keys;
};

/// The rows of the tables of a section, by their first cells.
QMap<QString, QString> rowsOf(const QString &page, const QString &heading)
{
    QMap<QString, QString> rows;
    const qsizetype start = page.indexOf(QLatin1String("\n## ") + heading + u'\n');
    const QString section = start < 0
        ? QString()
        : page.mid(start, page.indexOf(QLatin1String("\n## "), start + 1) - start);
    for (const QString &line : section.split(u'\n')) {
        if (line.startsWith(QLatin1String("| `")))
            rows.insert(line.section(u'`', 1, 1), line);
    }
    return rows;
}

QString written(const QJsonValue &value)
{
    if (value.isString())
        return value.toString();
    const QByteArray json = QJsonDocument(QJsonArray{value}).toJson(QJsonDocument::Compact);
    return QString::fromUtf8(json.mid(1, json.size() - 2));
}

// Facts of the schema about a key that are missing in the row.
QStringList missingIn(QString row, const QList<QJsonObject> &alternatives)
{
    QStringList wanted;
    static const QRegularExpression range(QStringLiteral("[\\w.]+ to [0-9]+(ms|s|m|h|d)"));
    const bool hasKeys =
        std::any_of(alternatives.begin(), alternatives.end(),
                    [](const QJsonObject &each) { return each.contains(u"properties"); });
    if (!hasKeys) // otherwise the range is the range of its keys
        wanted += range.match(alternatives.front()[u"description"].toString()).captured();
    for (const QJsonObject &each : alternatives) {
        if (each.contains(u"minimum"))
            wanted += written(each[u"minimum"]) + QLatin1String(" to ") + written(each[u"maximum"]);
        for (const QJsonValue &value : each[u"enum"].toArray())
            wanted += u'`' + written(value) + u'`';
        if (each.contains(u"const"))
            wanted += u'`' + written(each[u"const"]) + u'`';
        if (each.contains(u"default")
            && !row.section(u'|', -2).remove(u' ').contains(u'`' + written(each[u"default"])
                                                            + u'`'))
            wanted += QLatin1String("as its default ") + written(each[u"default"]);
    }
    row.remove(u'"').remove(u'*');
    static const QRegularExpression keyAsBound(QStringLiteral("`(\\w+)` to "));
    row.replace(keyAsBound, QStringLiteral("\\1 to "));
    wanted.removeIf([&](const QString &text) { return row.contains(text); });
    return wanted;
}

} // namespace

/// docs/configuration.md agrees with the reader, and the examples of all pages are valid.
class ConfigurationDocTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void examples_data();
    void examples();
    void pageHasRealFaults();
    void pageHasEveryKey_data();
    void pageHasEveryKey();
    void pageHasEveryPreset();
    void pageHasEveryExitCode();

private:
    const QString m_page = textOf(docs + QStringLiteral("configuration.md"));
    const QJsonObject m_schema = QJsonDocument::fromJson(configurationSchema()).object();
};

void ConfigurationDocTest::examples_data()
{
    QTest::addColumn<QString>("marker");
    QTest::addColumn<QByteArray>("json");
    for (QDirIterator pages(docs, {QStringLiteral("*.md")}, QDir::Files,
                            QDirIterator::Subdirectories);
         pages.hasNext();) {
        const QString path = pages.next();
        for (const Block &block : blocksOf(textOf(path), QStringLiteral("jsonc?"))) {
            QTest::addRow("%s:%d", qPrintable(path.mid(docs.size())), block.line)
                << block.marker << block.text.toUtf8();
        }
    }
}

void ConfigurationDocTest::examples()
{
    QFETCH(const QString, marker);
    QFETCH(const QByteArray, json);
    if (marker == QLatin1String("configuration")) {
        const QTemporaryDir folder;
        const Parsed<Configuration> parsed =
            parseConfiguration(json, folder.path(), {}, allProbeKinds());
        QVERIFY2(parsed, qPrintable(parsed.messages().join(u'\n')));
        for (const Fault &warning : parsed.warnings)
            QVERIFY2(warning.message.contains(QLatin1String("is not found"))
                         || warning.message.contains(QLatin1String("matches no file yet"))
                         || warning.message.contains(QLatin1String("only root can start")),
                     qPrintable(warning.toString()));
    } else if (marker == QLatin1String("policy")) {
        const Parsed<RestartPolicy> parsed = restartPolicyFromJson(json);
        QVERIFY2(parsed, qPrintable(parsed.messages().join(u'\n')));
    } else if (marker.startsWith(QLatin1String("gateway"))) {
        const Parsed<McpServers> parsed = parseMcpServers(json, QDir::tempPath());
        QVERIFY2(parsed, qPrintable(parsed.messages().join(u'\n')));
    } else {
        // Other tests check these.
        const QStringList others{QStringLiteral("metadata"), QStringLiteral("faulty"),
                                 QStringLiteral("agent"),    QStringLiteral("client"),
                                 QStringLiteral("marker"),   QStringLiteral("file")};
        QVERIFY2(others.contains(marker), "a block of JSON without a known marker");
    }
}

void ConfigurationDocTest::pageHasRealFaults()
{
    const QList<Block> blocks = blocksOf(m_page, QStringLiteral("json"));
    const auto faulty = std::find_if(blocks.begin(), blocks.end(), [](const Block &block) {
        return block.marker == QLatin1String("faulty");
    });
    QVERIFY(faulty != blocks.end());
    const QList<Block> sessions = blocksOf(m_page.mid(faulty->end), QStringLiteral("console"));
    QVERIFY(!sessions.isEmpty());
    const Parsed<Configuration> parsed = parseConfiguration(
        faulty->text.toUtf8(), QDir::tempPath(), QStringLiteral("agents.json"), allProbeKinds());
    QVERIFY(!parsed);
    // The command prints them in the order of the file.
    QList<Fault> faults = parsed.faults + parsed.warnings;
    std::stable_sort(faults.begin(), faults.end(), [](const Fault &one, const Fault &other) {
        return std::pair(one.line, one.column) < std::pair(other.line, other.column);
    });
    QString printed;
    for (const Fault &fault : std::as_const(faults))
        printed += fault.toString(parsed.file) + u'\n';
    QCOMPARE(sessions.front().text,
             QLatin1String("$ rekindle check agents.json\n") + printed
                 + QLatin1String("[exit 78]"));
}

void ConfigurationDocTest::pageHasEveryKey_data()
{
    const Rows<QString, QJsonObject, QStringList> row("heading", "object", "leaves");
    const QJsonObject definitions = m_schema[u"$defs"].toObject();
    row("The file", m_schema, {QStringLiteral("defaults")});
    row("Agents", definitions[u"agent"].toObject(),
        {QStringLiteral("policy"), QStringLiteral("ready.probe")});
    row("Shared breakers",
        m_schema[u"properties"][u"sharedBreakers"][u"additionalProperties"].toObject(),
        {QStringLiteral("probe")});
    row("Groups", definitions[u"agentGroup"].toObject(), {});
    row("MCP servers", definitions[u"mcpServer"].toObject(),
        {QStringLiteral("policy"), QStringLiteral("limits"), QStringLiteral("recycle"),
         QStringLiteral("health"), QStringLiteral("placement")});
    row("Probes", definitions[u"serverHealth"].toObject()[u"items"].toObject(), {});
    row("Policies", definitions[u"policy"].toObject(), {});
}

void ConfigurationDocTest::pageHasEveryKey()
{
    QFETCH(const QString, heading);
    QFETCH(const QJsonObject, object);
    QFETCH(const QStringList, leaves);
    const SchemaKeys schema(m_schema, object, leaves);
    QVERIFY(schema.keys().size() >= 4);
    const QMap<QString, QString> rows = rowsOf(m_page, heading);
    QStringList missing;
    for (auto key = schema.keys().begin(); key != schema.keys().end(); ++key) {
        if (!rows.contains(key.key())) {
            missing += key.key();
            continue;
        }
        for (const QString &what : missingIn(rows[key.key()], schema.alternatives(key.value())))
            missing += key.key() + QLatin1String(": ") + what;
    }
    QVERIFY2(missing.isEmpty(), qPrintable(missing.join(QLatin1String(", "))));
}

void ConfigurationDocTest::pageHasEveryPreset()
{
    const QString rows =
        QStringList(rowsOf(m_page, QStringLiteral("Policies")).values()).join(u'\n');
    for (const QString &name : presetNames())
        QVERIFY2(rows.contains(u'`' + name + u'`'), qPrintable(name));
}

void ConfigurationDocTest::pageHasEveryExitCode()
{
    static const QRegularExpression constant(QStringLiteral("constexpr int \\w+ = (\\d+);"));
    auto match = constant.globalMatch(
        textOf(QStringLiteral(REKINDLE_SOURCE "/src/cli/output/exitcode_p.h")));
    QVERIFY(match.hasNext());
    while (match.hasNext()) {
        const QString row = QStringLiteral("\n| %1 |").arg(match.next().captured(1));
        QVERIFY2(m_page.contains(row), qPrintable(row));
    }
}

REKINDLE_TEST(ConfigurationDocTest)
#include "configurationdoctest.moc"

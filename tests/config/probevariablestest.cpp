// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "allprobekinds.h"
#include "contains.h"
#include "testprogram.h"

#include <rekindle/config/configuration.h>

using namespace Rekindle;

namespace {

const QByteArray variable("${REKINDLE_TEST_X}");

/// A valid value of a field as JSON, with the variable in it, and the value that it becomes for
/// x1; empty for a field without text.
std::pair<QByteArray, QVariant> valueOf(const ProbeField &field)
{
    switch (field.type) {
    case ProbeField::Type::Text:
        return {'"' + variable + ".org\"", QStringLiteral("x1.org")};
    case ProbeField::Type::Command:
        return {"[\"" + variable + "\", \"-" + variable + "\"]",
                QStringList{QStringLiteral("x1"), QStringLiteral("-x1")}};
    case ProbeField::Type::HttpUrl:
        return {"\"http://" + variable + ".org/\"", QUrl(QStringLiteral("http://x1.org/"))};
    case ProbeField::Type::Integer:
        break;
    }
    return {};
}

QByteArray probe(const ProbeKind &kind)
{
    QByteArray text = "{ \"kind\": \"" + kind.name.toUtf8() + '"';
    for (const ProbeField &field : kind.fields) {
        QByteArray value = valueOf(field).first;
        if (value.isEmpty())
            value = QByteArray::number(field.least);
        text += ", \"" + QString(field.key).toUtf8() + "\": " + value;
    }
    return text + " }";
}

void verifySettings(const HealthProbeDefinition &definition)
{
    for (const ProbeField &field : definition.kind->fields) {
        if (const QVariant expected = valueOf(field).second; expected.isValid())
            QCOMPARE(definition.value(field.key), expected);
    }
}

} // namespace

/// Variables are replaced in every text of `ready`, `health` and the probes of shared breakers.
class ProbeVariablesTest : public QObject
{
    Q_OBJECT

    static QByteArray agent(const QByteArray &settings)
    {
        return R"({ "agents": [{ "name": "a", "kind": "process", "program": "p",
            "environment": { "REKINDLE_TEST_X": "x1" }, )"
            + settings + "}] }";
    }

private Q_SLOTS:
    void initTestCase()
    {
        qputenv("REKINDLE_TEST_Y", "y1");
        qunsetenv("REKINDLE_TEST_X");
    }

    void replacesVariablesOfKind_data()
    {
        QTest::addColumn<const ProbeKind *>("kind");
        for (const ProbeKind *kind : allProbeKinds())
            QTest::addRow("%s", qPrintable(kind->name)) << kind;
    }

    void replacesVariablesOfKind()
    {
        QFETCH(const ProbeKind *, kind);
        if (kind->uses.testFlag(ProbeKind::Use::ProcessHealth)) {
            const auto health = parse(agent("\"health\": [" + probe(*kind) + ']'));
            QVERIFY2(health, qPrintable(health.messages().join(u'\n')));
            verifySettings(health.value->agents[0].process.health.value(0));
        }
        if (!kind->uses.testFlag(ProbeKind::Use::Readiness))
            return;
        const auto ready =
            parse(agent(R"("ready": { "kind": "probe", "probe": )" + probe(*kind) + '}'));
        QVERIFY2(ready, qPrintable(ready.messages().join(u'\n')));
        verifySettings(ready.value->agents[0].process.readiness.probe);
    }

    void replacesVariablesOfPattern()
    {
        const auto read =
            parse(agent(R"("ready": { "kind": "line", "pattern": "on ${REKINDLE_TEST_X}$" })"));
        QVERIFY2(read, qPrintable(read.messages().join(u'\n')));
        QCOMPARE(read.value->agents[0].process.readiness.pattern, QStringLiteral("on x1$"));
    }

    void reportsVariableThatIsNotSet_data()
    {
        QTest::addColumn<QByteArray>("settings");
        QTest::addRow("exec") << QByteArray(
            R"("health": [{ "kind": "exec", "command": ["test", "${REKINDLE_TEST_NONE}"] }])");
        QTest::addRow("http") << QByteArray("\"health\": [{ \"kind\": \"http\", \"url\": "
                                            "\"http://[::1]:${REKINDLE_TEST_NONE}/\" }]");
        QTest::addRow("line") << QByteArray(
            R"("ready": { "kind": "line", "pattern": "${REKINDLE_TEST_NONE}" })");
    }

    void reportsVariableThatIsNotSet()
    {
        QFETCH(QByteArray, settings);
        const auto read = parse(agent(settings));
        QVERIFY(!read);
        const QString messages = read.messages().join(u'\n');
        VERIFY_CONTAINS(messages, "REKINDLE_TEST_NONE is not set");
    }

    void replacesVariablesOfSharedBreaker()
    {
        const auto read = parse(R"({ "sharedBreakers": { "b": { "probe":
            { "kind": "exec", "command": ["test", "${REKINDLE_TEST_Y}"] } } },
            "agents": [{ "name": "a", "kind": "process", "program": "p", "requires": ["b"] }] })");
        QVERIFY2(read, qPrintable(read.messages().join(u'\n')));
        QCOMPARE(read.value->sharedBreakerProbes.value(QStringLiteral("b"))
                     .probe.value(QLatin1String("command"))
                     .toStringList()
                     .value(1),
                 QStringLiteral("y1"));
    }

private:
    static Parsed<Configuration> parse(const QByteArray &text)
    {
        return parseConfiguration(text, QDir::rootPath(), {}, allProbeKinds());
    }
};

REKINDLE_TEST(ProbeVariablesTest)
#include "probevariablestest.moc"

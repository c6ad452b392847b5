// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"
#include "testrow.h"

#include <plugin/parameterschema_p.h>

using namespace Rekindle;

namespace {

QJsonObject object(QString text)
{
    const QByteArray json = text.replace(u'\'', u'"').toUtf8();
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(json, &error);
    if (!document.isObject())
        qFatal("%s: %s", qPrintable(error.errorString()), json.constData());
    return document.object();
}

const QString schemaText = QStringLiteral(
    "{'type':'object','additionalProperties':false,'required':['id'],'properties':{"
    "'id':{'type':'string'},"
    "'n':{'type':'integer','minimum':1,'maximum':9,'default':3},"
    "'x':{'type':'number','minimum':0.5},"
    "'y':{'type':'number','maximum':2},"
    "'t':{'type':'string','format':'duration','minimum':'1s','maximum':'1h','default':'90s'},"
    "'k':{'type':'string','enum':['a','b']},"
    "'r':{'type':'string','pattern':'^[0-9]{2}$'},"
    "'b':{'type':'boolean','default':true},"
    "'a/b~c':{'type':'integer'}}}");

} // namespace

class ParameterSchemaTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void checksParameters_data();
    void checksParameters();
    void addsDefaults();
    void acceptsAdditionalProperties();
    void rejectsInvalidSchema_data();
    void rejectsInvalidSchema();
};

void ParameterSchemaTest::checksParameters_data()
{
    const Rows<QString> row("fault");
    row("'id':'x','n':9,'x':0.5,'y':-1,'t':'1h','k':'b','b':false,'a/b~c':1", "");
    row("'n':3", "/p: missing parameter \"id\"");
    row("'id':7", "/p/id: expected type string, found 7");
    row("'id':null", "/p/id: expected type string, found null");
    row("'id':'','n':0", "/p/n: expected 1 to 9, found 0");
    row("'id':'','n':1e300", "/p/n: expected 1 to 9, found 1e+300");
    row("'id':'','n':1.5", "/p/n: expected type integer, found 1.5");
    row("'id':'','n':'3'", "/p/n: expected type integer, found \"3\"");
    row("'id':'','x':0.25", "/p/x: expected at least 0.5, found 0.25");
    row("'id':'','y':3", "/p/y: expected at most 2, found 3");
    row("'id':'','t':'500ms'", "/p/t: expected \"1s\" to \"1h\", found \"500ms\"");
    row("'id':'','t':'soon'",
        "/p/t: expected a duration such as \"500ms\" or \"5s\", found \"soon\"");
    row("'id':'','t':5", "/p/t: expected a duration such as \"500ms\" or \"5s\", found 5");
    row("'id':'','k':'c'", "/p/k: expected one of \"a\", \"b\", found \"c\"");
    row("'id':'','r':'07'", "");
    row("'id':'','r':'007'", "/p/r: expected text that matches ^[0-9]{2}$, found \"007\"");
    row("'id':'','r':7", "/p/r: expected type string, found 7");
    row("'id':'','b':1", "/p/b: expected type boolean, found 1");
    row("'id':'','a/b~c':[]", "/p/a~1b~0c: expected type integer, found []");
    row("'id':'','z':1", "/p/z: unknown parameter; expected one of a/b~c, b, id, k, n, r, t, x, y");
}

void ParameterSchemaTest::checksParameters()
{
    QFETCH(const QString, fault);
    QString error;
    const auto schema = ParameterSchema::read(object(schemaText), error);
    QVERIFY2(schema, qPrintable(error));
    const QString text = QStringLiteral("{%1}").arg(QString::fromLatin1(QTest::currentDataTag()));
    QStringList faults;
    for (const Fault &each : schema->check(object(text), QStringLiteral("/p")))
        faults.append(each.toString());
    QCOMPARE(faults.join(QLatin1String("; ")), fault);
}

void ParameterSchemaTest::addsDefaults()
{
    QString error;
    const auto schema = ParameterSchema::read(object(schemaText), error);
    QVERIFY(schema);
    QCOMPARE(schema->withDefaults(object(QStringLiteral("{'id':'x','n':5}"))),
             object(QStringLiteral("{'id':'x','n':5,'t':'90s','b':true}")));
}

void ParameterSchemaTest::acceptsAdditionalProperties()
{
    QString error;
    const auto schema = ParameterSchema::read(object(QStringLiteral("{'type':'object'}")), error);
    QVERIFY(schema);
    QVERIFY(schema->check(object(QStringLiteral("{'any':1}")), {}).isEmpty());
}

void ParameterSchemaTest::rejectsInvalidSchema_data()
{
    const Rows<QString> row("error");
    row("", "type must be \"object\"");
    row("'type':'array'", "type must be \"object\"");
    row("'type':'object','oneOf':[]", "unsupported keyword \"oneOf\"");
    row("'type':'object','additionalProperties':{}", "additionalProperties must be true or false");
    row("'type':'object','required':['a']", "required contains \"a\", which is not a property");
    row("'type':'object','properties':{'a':{}}",
        "a: type must be one of string, boolean, integer, number");
    row("'type':'object','properties':{'a':{'type':'string','minLength':1}}",
        "a: unsupported keyword \"minLength\"");
    for (const char *const bad :
         {"'type':'string','pattern':'('", "'type':'string','pattern':3",
          "'type':'integer','pattern':'x'", "'type':'string','format':'duration','pattern':'x'"}) {
        const QByteArray schema =
            QByteArrayLiteral("'type':'object','properties':{'a':{") + bad + "}}";
        row(schema.constData(), "a: pattern must be a regular expression and the type \"string\"");
    }
    row("'type':'object','properties':{'a':{'type':'string','pattern':'^x','default':'y'}}",
        "a: default: expected text that matches ^x, found \"y\"");
    row("'type':'object','properties':{'a':{'type':'string','minimum':1}}",
        "a: minimum or maximum does not match the type");
    row("'type':'object','properties':{'a':{'type':'string','format':'date'}}",
        "a: format must be \"duration\" and the type \"string\"");
    row("'type':'object','properties':{'a':{'type':'integer','format':'duration'}}",
        "a: format must be \"duration\" and the type \"string\"");
    row("'type':'object','properties':{'a':{'type':'integer','enum':3}}",
        "a: enum must be an array with values");
    row("'type':'object','properties':{'a':{'type':'integer','maximum':3,'default':4}}",
        "a: default: expected at most 3, found 4");
}

void ParameterSchemaTest::rejectsInvalidSchema()
{
    const QString text = QStringLiteral("{%1}").arg(QString::fromLatin1(QTest::currentDataTag()));
    QString error;
    QVERIFY(!ParameterSchema::read(object(text), error));
    QTEST(error, "error");
}

REKINDLE_TEST(ParameterSchemaTest)
#include "parameterschematest.moc"

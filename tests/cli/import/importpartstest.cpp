// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/import/importreaders_p.h"
#include "cli/import/importwords_p.h"
#include "cli/import/jsliteral_p.h"
#include "cli/import/systemdwords_p.h"
#include "cli/import/yamltree_p.h"
#include "testprogram.h"

#include <QtTest>

using namespace Rekindle;
using namespace std::chrono_literals;

class ImportPartsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void splitsWordsAsShell_data();
    void splitsWordsAsShell();
    void keepsVariablesInWords();
    void splitsWordsAsSystemd_data();
    void splitsWordsAsSystemd();
    void replacesVariablesOfSystemd_data();
    void replacesVariablesOfSystemd();
    void sumsDurations();
    void readsLiterals();
    void rejectsExpressions_data();
    void rejectsExpressions();
    void mergesYaml();
    void rejectsYaml_data();
    void rejectsYaml();
    void limitsNestedAliases();
    void rejectsBytesThatAreNoText();
    void limitsAgents();
    void keepsNamesUnique();
};

void ImportPartsTest::splitsWordsAsShell_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("words"); // "|" between them; "?" is a fault
    QTest::newRow("blanks") << QStringLiteral(" a  b\tc ") << QStringLiteral("a|b|c");
    QTest::newRow("quotes") << QStringLiteral("a 'b \"c' \"d 'e\"f")
                            << QStringLiteral("a|b \"c|d 'ef");
    QTest::newRow("empty word") << QStringLiteral("a '' b") << QStringLiteral("a||b");
    QTest::newRow("backslash") << QStringLiteral("a\\ b \"\\\"\\n\" '\\'")
                               << QStringLiteral("a b|\"\\n|\\");
    QTest::newRow("open quote") << QStringLiteral("a 'b") << QStringLiteral("?");
}

void ImportPartsTest::splitsWordsAsShell()
{
    QFETCH(QString, text);
    QFETCH(QString, words);
    const std::optional<QStringList> split = splitWords(text);
    QCOMPARE(split ? split->join(u'|') : QStringLiteral("?"), words);
}

void ImportPartsTest::keepsVariablesInWords()
{
    const QString text =
        QStringLiteral("a${B:-c d}\"${E}\" $${f g} \\${H:-i j} $\\{k} $\"{l}\" m$ ${open n");
    const QStringList expected{QStringLiteral("a${B:-c d}${E}"),
                               QStringLiteral("$${f"),
                               QStringLiteral("g}"),
                               QStringLiteral("${H:-i j}"),
                               QStringLiteral("$${k}"),
                               QStringLiteral("$${l}"),
                               QStringLiteral("m$"),
                               QStringLiteral("${open n")};
    QCOMPARE(splitWords(text, WordContent::Variables).value_or(QStringList()), expected);
}

void ImportPartsTest::splitsWordsAsSystemd_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("words");
    QTest::newRow("escapes") << QStringLiteral("\\x41\\102\\u20ac\\s\\t")
                             << QStringLiteral("AB\u20ac \t");
    QTest::newRow("quotes") << QStringLiteral("'a b' \"c'd\" e\"\"") << QStringLiteral("a b|c'd|e");
    QTest::newRow("unknown escape") << QStringLiteral("\\q") << QStringLiteral("?");
    QTest::newRow("zero") << QStringLiteral("\\x00") << QStringLiteral("?");
    QTest::newRow("surrogate") << QStringLiteral("\\ud800") << QStringLiteral("?");
    QTest::newRow("part of a character") << QStringLiteral("\\xe2") << QStringLiteral("?");
    QTest::newRow("at the end") << QStringLiteral("a\\") << QStringLiteral("?");
    QTest::newRow("open quote") << QStringLiteral("\"a") << QStringLiteral("?");
}

void ImportPartsTest::splitsWordsAsSystemd()
{
    QFETCH(QString, text);
    QFETCH(QString, words);
    const std::optional<QStringList> split = SystemdWords::split(text);
    QCOMPARE(split ? split->join(u'|') : QStringLiteral("?"), words);
}

void ImportPartsTest::replacesVariablesOfSystemd_data()
{
    QTest::addColumn<QString>("word");
    QTest::addColumn<QString>("expected");
    QTest::newRow("in braces") << QStringLiteral("a${B}c") << QStringLiteral("a${B:-}c");
    QTest::newRow("whole word") << QStringLiteral("$B") << QStringLiteral("${B:-}");
    QTest::newRow("part of a word") << QStringLiteral("a$B") << QStringLiteral("a$B");
    QTest::newRow("dollar") << QStringLiteral("$$") << QStringLiteral("$");
    QTest::newRow("escaped brace") << QStringLiteral("$${B}") << QStringLiteral("$${B}");
    QTest::newRow("after a dollar")
        << QStringLiteral("$$${B}") << QStringLiteral("${REKINDLE_DOLLAR:-$}${B:-}");
    QTest::newRow("other form") << QStringLiteral("${B:x}") << QStringLiteral("$${B:x}");
}

void ImportPartsTest::replacesVariablesOfSystemd()
{
    QFETCH(QString, word);
    QFETCH(QString, expected);
    const SystemdWords::Variables variables = SystemdWords::variables(word);
    QCOMPARE(variables.text, expected);
    QCOMPARE(variables.isSplit, word == QLatin1String("$B"));
}

void ImportPartsTest::sumsDurations()
{
    const auto seconds = [](const QString &unit) {
        return unit == QLatin1String("m")                  ? 60.0
            : unit.isEmpty() || unit == QLatin1String("s") ? 1.0
                                                           : 0.0;
    };
    QCOMPARE(durationOf(QStringLiteral("1m30s"), seconds), Duration(90s));
    QCOMPARE(durationOf(QStringLiteral("1m 30"), seconds), Duration(90s));
    QCOMPARE(durationOf(QStringLiteral("0.25"), seconds), Duration(250ms));
    for (const char *const text : {"", " ", "s", "-1", "1x", "1.2.3"})
        QVERIFY2(!durationOf(QString::fromLatin1(text), seconds), text);
    QVERIFY(durationOf(QString(100, u'9'), seconds) > Duration(24h));
}

void ImportPartsTest::readsLiterals()
{
    const Parsed<JsonNode> read = readJsLiteral(QStringLiteral(
        "'use strict';\n// note\nexport default { a: [1, -2.5, 1e3, null, undefined,], 'b': `c`,\n"
        "  /* note */ \"d\\u0041\\n\": true, a: '\\x42' };\n"));
    QVERIFY2(read, qPrintable(read.messages().join(u'\n')));
    QCOMPARE(read.value->children.size(), std::size_t(3));
    QCOMPARE(read.value->member(u"a")->text, QStringLiteral("B"));
    QCOMPARE(read.value->member(u"b")->text, QStringLiteral("c"));
    QCOMPARE(read.value->member(u"dA\n")->boolean, true);
}

void ImportPartsTest::rejectsExpressions_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("fault");
    QTest::newRow("call") << QStringLiteral("module.exports = f()")
                          << QStringLiteral("1:18: expected a literal, found f; ");
    QTest::newRow("sum") << QStringLiteral("{ a:\n 'b' + c }")
                         << QStringLiteral("2:6: expected \",\" or \"}\", found \"+ c }\"");
    QTest::newRow("template") << QStringLiteral("{ a: `b${c}` }")
                              << QStringLiteral("1:8: expected a string without expressions");
    QTest::newRow("statement") << QStringLiteral("const a = 1;")
                               << QStringLiteral("1:1: expected a literal, found const; ");
    QTest::newRow("method") << QStringLiteral("{ a() {} }")
                            << QStringLiteral("1:4: expected NAME: VALUE, found \"() {} }\"");
    QTest::newRow("open string") << QStringLiteral("{ a: 'b\n' }")
                                 << QStringLiteral("1:8: expected the end of the string");
    QTest::newRow("open comment") << QStringLiteral("/* a")
                                  << QStringLiteral("1:1: expected the end of the comment");
    QTest::newRow("zero") << QStringLiteral("{ a: '\\0' }")
                          << QStringLiteral("1:8: expected an escape without a zero character");
    QTest::newRow("rest") << QStringLiteral("{} {}")
                          << QStringLiteral("1:4: expected the end of the file");
    QTest::newRow("nothing") << QStringLiteral(
        "") << QStringLiteral("1:1: expected a literal, found the end of the file");
    QTest::newRow("depth") << QString(100, u'[')
                           << QStringLiteral("1:66: expected at most 64 nested values");
}

void ImportPartsTest::rejectsExpressions()
{
    QFETCH(QString, text);
    QFETCH(QString, fault);
    const Parsed<JsonNode> read = readJsLiteral(text);
    QVERIFY(!read);
    QCOMPARE(read.faults.size(), 1);
    QVERIFY2(read.faults.front().toString().startsWith(fault),
             qPrintable(read.faults.front().toString()));
}

// Own keys win over merged ones, and earlier sources over later ones.
void ImportPartsTest::mergesYaml()
{
    const Parsed<JsonNode> read = readYaml("a: &a {x: 1, y: 1}\nb: &b {y: 2, z: 2}\n"
                                           "c:\n  <<: [*a, *b]\n  x: 3\n  n: ~\n  s: 'null'\n");
    QVERIFY2(read, qPrintable(read.messages().join(u'\n')));
    const JsonNode &c = *read.value->member(u"c");
    QCOMPARE(c.member(u"x")->text, QStringLiteral("3"));
    QCOMPARE(c.member(u"y")->text, QStringLiteral("1"));
    QCOMPARE(c.member(u"z")->text, QStringLiteral("2"));
    QCOMPARE(c.member(u"n")->kind, JsonNode::Kind::Null);
    QCOMPARE(c.member(u"s")->kind, JsonNode::Kind::String);
    QCOMPARE(c.member(u"x")->position.line, 5);
}

void ImportPartsTest::rejectsYaml_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("fault");
    const auto row = [](const char *name, const QByteArray &text, const char *fault) {
        QTest::newRow(name) << text << QString::fromUtf8(fault);
    };
    row("syntax", "a: [1\nb: 2\n", "2:");
    row("duplicate key", "a: 1\na: 2\n", "2:1: duplicate key \"a\"");
    row("second document", "a: 1\n---\nb: 1\n", "2:1: expected one document");
    row("list as the key", "[a]: 1\n", "1:1: expected a text as the key");
    row("zero", "a: \"\\0\"\n", "1:4: expected text, found a zero character");
    row("alias of its own", "a: &a [*a]\n", "1:8: unknown alias *a");
    row("depth", QByteArray(100, '['), "1:66: expected at most 64 nested values");
    row("nothing", "", "1:1: expected a document");
}

void ImportPartsTest::rejectsYaml()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, fault);
    const Parsed<JsonNode> read = readYaml(text);
    QVERIFY(!read);
    QCOMPARE(read.faults.size(), 1);
    QVERIFY2(read.faults.front().toString().startsWith(fault),
             qPrintable(read.faults.front().toString()));
}

// Nine levels of nine would be 387 million values.
void ImportPartsTest::limitsNestedAliases()
{
    QByteArray text("a0: &a0 x\n");
    for (int level = 1; level < 10; ++level) {
        const QByteArray alias = "*a" + QByteArray::number(level - 1) + ',';
        text += "a" + QByteArray::number(level) + ": &a" + QByteArray::number(level) + " ["
            + alias.repeated(9) + "]\n";
    }
    const Parsed<JsonNode> read = readYaml(text);
    QVERIFY(!read);
    QVERIFY(read.faults.front().message.contains(QLatin1String("expected at most 100000 values")));
}

void ImportPartsTest::rejectsBytesThatAreNoText()
{
    for (const QByteArray &text : {QByteArray("a: b\nc: \0d\n", 11), QByteArray("a: \xff\n")}) {
        for (const Imported &read :
             {readSupervisord(text), readSystemd(text, QStringLiteral("a.service")), readPm2(text),
              readProcfile(text), readCompose(text)}) {
            QVERIFY(!read);
            QCOMPARE(read.faults.size(), 1);
        }
    }
}

void ImportPartsTest::limitsAgents()
{
    QByteArray text;
    for (int i = 0; i < 11; ++i)
        text += "[program:p" + QByteArray::number(i) + "]\ncommand=true\nnumprocs=1000\n";
    const Imported read = readSupervisord(text);
    QVERIFY(!read);
    QVERIFY(read.faults.front().message.contains(QLatin1String("expected at most 10000 agents")));
}

void ImportPartsTest::keepsNamesUnique()
{
    const QByteArray text = "[program:a b]\ncommand=x\n[program:a-b]\ncommand=x\n[program:"
        + QByteArray(80, 'n') + "]\ncommand=x\n";
    const Imported read = readSupervisord(text);
    QVERIFY(read);
    QCOMPARE(read.value->agents[0].name, QStringLiteral("a-b"));
    QCOMPARE(read.value->agents[1].name, QStringLiteral("a-b-2"));
    QCOMPARE(read.value->agents[2].name, QString(64, u'n'));
    QCOMPARE(read.warnings.size(), 3);
}

REKINDLE_TEST(ImportPartsTest)
#include "importpartstest.moc"

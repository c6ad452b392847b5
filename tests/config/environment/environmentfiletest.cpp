// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"
#include "testrow.h"

#include "config/environment/environmentfile_p.h"

using namespace Rekindle;

class EnvironmentFileTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsValues_data();
    void readsValues();
    void readsLines();
    void reportsFaults_data();
    void reportsFaults();
    void faultsContainNoValues_data() { reportsFaults_data(); }
    void faultsContainNoValues();
    void reportsAllFaults();
    void warnsOfRepeatedNames();
};

void EnvironmentFileTest::readsValues_data()
{
    const Rows<QByteArray, QString> row("line", "value");
    row("plain", "A=b c", "b c");
    row("empty", "A=", "");
    row("blanks only", "A= \t", "");
    row("blanks around", " A = b\t", "b");
    row("line end of Windows", "A=b\r\n", "b");
    row("empty line end of Windows", "A=\r\n", "");
    row("export", "export A=b", "b");
    row("export with blanks", "\texport \t A=b", "b");
    row("comment", "A=b # c", "b");
    row("comment alone", "A= # c", "");
    row("number sign in a value", "A=b#c", "b#c");
    row("number sign first", "A=#c", "#c");
    row("equals sign", "A=b=c", "b=c");
    row("dollar", "A=$HOME ${HOME}", "$HOME ${HOME}");
    row("backslash", "A=b\\nc\\", "b\\nc\\");
    row("quote inside", "A=it's", "it's");
    row("UTF-8", "A=\xC3\xA4", "\xC3\xA4");
    row("single quotes", "A=' b # \"\\n' # c", " b # \"\\n");
    row("single quotes after a blank", "A= 'b'", "b");
    row("double quotes", "A=\"b # 'c'\"#d", "b # 'c'");
    row("escapes", R"(A="\"\\\n\r\t\$\`\x")", "\"\\\n\r\t$`\\x");
    row("double quotes and line end of Windows", "A=\"b\"\r\n", "b");
    row("byte order mark", "\xEF\xBB\xBF A=b", "b");
    row("lines in single quotes", "A='b\n # c\n'", "b\n # c\n");
    row("lines in double quotes", "A=\"b\nB=c\"", "b\nB=c");
    row("joined lines in double quotes", "A=\"b \\\n  c\\\r\nd\\\\\ne\"", "b   cd\\\ne");
    row("backslash before a line end in single quotes", "A='b\\\nc'", "b\\\nc");
}

void EnvironmentFileTest::readsValues()
{
    QFETCH(const QByteArray, line);
    QFETCH(const QString, value);
    const auto parsed = EnvironmentFile(line).read();
    QVERIFY2(parsed, qPrintable(parsed.messages().join(u'\n')));
    QCOMPARE(parsed.messages(), QStringList());
    const EnvironmentFile::Variables expected{{QStringLiteral("A"), value}};
    QCOMPARE(*parsed.value, expected);
}

void EnvironmentFileTest::readsLines()
{
    const auto parsed =
        EnvironmentFile("# comment\n\n  # comment\r\n\r\nA=1\nexport=2\n_b3=\n\nC='x'\nexport D=4")
            .read();
    QVERIFY2(parsed, qPrintable(parsed.messages().join(u'\n')));
    const EnvironmentFile::Variables expected{
        {QStringLiteral("A"), QStringLiteral("1")}, {QStringLiteral("export"), QStringLiteral("2")},
        {QStringLiteral("_b3"), QString()},         {QStringLiteral("C"), QStringLiteral("x")},
        {QStringLiteral("D"), QStringLiteral("4")},
    };
    QCOMPARE(*parsed.value, expected);
    QVERIFY(EnvironmentFile(QByteArrayView()).read());
    QVERIFY(EnvironmentFile("\n# nothing").read().value->isEmpty());
}

void EnvironmentFileTest::reportsFaults_data()
{
    const Rows<QByteArray, QString> row("text", "expected");
    row("no equals sign", "A=1\nB\nC=2",
        "2:2: expected \"=\" after the variable name, found the end of the line");
    row("no equals sign at the end", "A",
        "1:2: expected \"=\" after the variable name, found the end of the text");
    row("colon", "A: 1", "1:2: expected \"=\" after the variable name, found \":\"");
    row("export without a value", "export A",
        "1:9: expected \"=\" after the variable name, found the end of the text");
    row("no name", "=1", "1:1: expected a variable name (A-Z a-z 0-9 _), found \"=\"");
    row("digit", "\n 1A=1", "2:2: expected a variable name (A-Z a-z 0-9 _), found other text");
    row("export of a digit", "export 1=1",
        "1:8: expected \"=\" after the variable name, found other text");
    row("dash in a name", "my-key=1", "1:3: expected \"=\" after the variable name, found \"-\"");
    row("umlaut", "\xC3\xA4=1", "1:1: expected a variable name (A-Z a-z 0-9 _), found other text");
    row("section", "[web]\nA=1", "1:1: expected a variable name (A-Z a-z 0-9 _), found \"[\"");
    row("text after a quote", "A=\"\xC3\xA4\" b",
        "1:7: expected the end of the line or a comment after the closing quote, found other text");
    row("open single quote", "A=1\nB= 'x\nC=2\n",
        "2:4: expected a closing ' for this value, found the end of the text");
    row("open double quote", "A=\"x\\\"",
        "1:3: expected a closing \" for this value, found the end "
        "of the text");
    row("value after a blank", "PASSWORD hunter2",
        "1:10: expected \"=\" after the variable name, found other text");
    row("value after a colon", "PASSWORD:hunter2",
        "1:9: expected \"=\" after the variable name, found \":\"");
    row("second line of a key", "KEY=-----BEGIN\nMIIhunter2+x/y==",
        "2:11: expected \"=\" after the variable name, found \"+\"");
    row("digits of a key", "KEY=-----BEGIN\n7hunter2",
        "2:1: expected a variable name (A-Z a-z 0-9 _), found other text");
    row("value after a quote", "A=\"x\"hunter2",
        "1:6: expected the end of the line or a comment after the closing quote, found other text");
    row("control character", "A\x1Bhunter2",
        "1:2: expected \"=\" after the variable name, found other text");
    row("not UTF-8", "A=1\nB=\xFF", "2:3: not UTF-8");
    row("null character", QByteArray("A=\0", 3), "1:3: expected a text, found a null character");
}

void EnvironmentFileTest::reportsFaults()
{
    QFETCH(const QByteArray, text);
    QFETCH(const QString, expected);
    const auto parsed = EnvironmentFile(text).read();
    QVERIFY(!parsed);
    QCOMPARE(parsed.messages().join(u'\n'), expected);
}

// A letter or digit of a file can only be in a message as a part of the fixed text.
void EnvironmentFileTest::faultsContainNoValues()
{
    QFETCH(const QByteArray, text);
    // The same text with other letters and digits has the same faults.
    QByteArray other = text;
    for (char &c : other) {
        if ((c >= 'a' && c < 'z') || (c >= 'A' && c < 'Z') || (c >= '0' && c < '9'))
            ++c;
    }
    other.replace("fyqpsu", "export");
    const QString messages = EnvironmentFile(text).read().messages().join(u'\n');
    QCOMPARE(EnvironmentFile(other).read().messages().join(u'\n'), messages);
    QVERIFY(!messages.contains(QLatin1String("hunter2")));
    QVERIFY(!messages.contains(QLatin1String("PASSWORD")));
}

void EnvironmentFileTest::reportsAllFaults()
{
    QCOMPARE(EnvironmentFile("A\nB=\"1\"2\n=\nC=3\n").read().messages().join(u'\n'),
             QStringLiteral(
                 "1:2: expected \"=\" after the variable name, found the end of the line\n"
                 "2:6: expected the end of the line or a comment after the closing quote, found "
                 "other text\n"
                 "3:1: expected a variable name (A-Z a-z 0-9 _), found \"=\""));
}

void EnvironmentFileTest::warnsOfRepeatedNames()
{
    const auto parsed = EnvironmentFile("A=1\nB=2\nexport A=3\n").read();
    QVERIFY(parsed);
    QCOMPARE(parsed.value->value(QStringLiteral("A")), QStringLiteral("3"));
    QCOMPARE(parsed.messages().join(u'\n'),
             QStringLiteral(
                 "3:8: warning: duplicate variable, first on line 1; the last value is used"));
}

REKINDLE_TEST(EnvironmentFileTest)
#include "environmentfiletest.moc"

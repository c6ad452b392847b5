// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/output/texthelpers_p.h"
#include "testprogram.h"
#include "testrow.h"

using namespace Rekindle;

/// Lists, and lines for a terminal.
class TextHelpersTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void lists();
    void terminals_data();
    void terminals();
    void foreignTexts_data();
    void foreignTexts();
};

void TextHelpersTest::lists()
{
    QCOMPARE(listed({}), QString());
    QCOMPARE(listed({QStringLiteral("a"), QStringLiteral("b")}), QStringLiteral("a, b"));
    QStringList many(22, QStringLiteral("a"));
    many[19] = QStringLiteral("last");
    QVERIFY(listed(many).endsWith(QLatin1String(", a, last and 2 more")));
}

void TextHelpersTest::terminals_data()
{
    const Rows<QByteArray, QByteArray> row("line", "shown");
    row("plain", "a\tb \xc3\xa4", "a\tb \xc3\xa4");
    row("color", "\x1b[1;31mred", "\x1b[1;31mred\x1b[0m");
    row("color with its end", "\x1b[31mred\x1b[0m", "\x1b[31mred\x1b[0m");
    row("color with a short end", "\x1b[31mred\x1b[m.", "\x1b[31mred\x1b[m.");
    row("color after an end", "\x1b[0m\x1b[31mred", "\x1b[0m\x1b[31mred\x1b[0m");
    row("colors with colons", "\x1b[38:5:1mred", "\x1b[38:5:1mred\x1b[0m");
    row("key modes", "\x1b[>4;2mtext", "text");
    row("escape in a sequence", "a\x1b[\x1b[31mb", "a\x1b[31mb\x1b[0m");
    row("line feed in a sequence", "a\x1b[\n1mb", "a1mb");
    row("clear screen", "a\x1b[2Jb", "ab");
    row("cursor", "\x1b[5Aup", "up");
    row("return and bell", "a\rb\a", "ab");
    row("title", "a\x1b]0;x\ab", "ab");
    row("title, other end", "a\x1b]2;x\x1b\\b", "ab");
    row("title without end", "a\x1b]0;x", "a");
    row("link", "\x1b]8;;http://x\x1b\\here\x1b]8;;\x1b\\", "here");
    row("device string", "a\x1bPq#0\x1b\\b", "ab");
    row("character set", "a\x1b(Bb", "ab");
    row("direction",
        "a\xe2\x80\xae"
        "b\xe2\x81\xa6"
        "c\xe2\x80\x8f\xd8\x9c"
        "d",
        "abcd");
    row("not UTF-8",
        "a\x9b"
        "31mb\xff",
        "a\xef\xbf\xbd"
        "31mb\xef\xbf\xbd");
    row("other characters with these bytes", "\xe2\x80\x93\xe2\x81\x84\xd8\xa7",
        "\xe2\x80\x93\xe2\x81\x84\xd8\xa7");
    row("cut off", "a\x1b[3", "a");
    row("escape at the end", "a\x1b", "a");
    row("beyond ASCII",
        "a\xc2\x9b"
        "2Jb",
        "a2Jb");
}

void TextHelpersTest::terminals()
{
    QFETCH(QByteArray, line);
    QTEST(forTerminal(line), "shown");
}

void TextHelpersTest::foreignTexts_data()
{
    const Rows<QString, QString> row("text", "shown");
    row("plain", "caf\u00e9", "caf\u00e9");
    row("lines", "a\nb\tc\r", "a b c");
    row("color", "\x1b[31mred", "red");
    row("direction", "a\u202eb\u2069c", "abc");
    row("half a pair", QString(QChar(0xd800)), "\ufffd");
    row("long", QString(20, u'x'), QString(10, u'x'));
    row("pair at the limit", QString(9, u'x') + QStringLiteral("\U0001f355y"), QString(9, u'x'));
}

void TextHelpersTest::foreignTexts()
{
    QFETCH(QString, text);
    QFETCH(QString, shown);
    QCOMPARE(foreignText(text, 10), shown);
}

REKINDLE_TEST(TextHelpersTest)
#include "texthelperstest.moc"

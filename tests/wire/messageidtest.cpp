// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"
#include "testrow.h"
#include "wire/messageid_p.h"

using namespace Rekindle;
using Type = MessageId::Type;

class MessageIdTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void types_data()
    {
        const Rows<QByteArray, Type> row("json", "type");
        row("0", Type::Integer);
        row("-0", Type::Integer);
        row("-17", Type::Integer);
        row("123456789012345678901234567890", Type::Integer);
        row("\"\"", Type::String);
        row("\"0\"", Type::String);
        row("\"a\\u0000b\"", Type::String);
        row("\"\xff\"", Type::String);
        for (const char *none : {"", "-", "01", "1.0", "1e3", "1.5", "null", "true", "{}", "[1]",
                                 "\"", "\"a", "\"a\"b\"", "\"\\x\"", "\"\n\"", " 1", "+1"})
            row(none, Type::None);
    }

    void types()
    {
        QFETCH(QByteArray, json);
        const MessageId id = MessageId::ofJson(json);
        QTEST(id.type(), "type");
        QCOMPARE(id.json(), id.isPresent() ? json : QByteArray());
    }

    void comparesUnescaped_data()
    {
        const Rows<QByteArray, QByteArray, bool> row("one", "other", "equal");
        row("0", "\"0\"", false);
        row("-0", "0", true);
        row("1", "11", false);
        row("\"a\"", "\"\\u0061\"", true);
        row("\"a/b\"", "\"a\\/b\"", true);
        row("\"\xc3\xa9\"", "\"\\u00e9\"", true);
        row("\"\xf0\x9f\x98\x80\"", "\"\\ud83d\\uDE00\"", true);
        row("\"\\ud83d\"", "\"\\ud83e\"", false);
        row("\"\\u0000\"", "\"\"", false);
        row("\"\\n\"", "\"\\u000a\"", true);
        row("\"A\"", "\"a\"", false);
    }

    void comparesUnescaped()
    {
        QFETCH(QByteArray, one);
        QFETCH(QByteArray, other);
        QFETCH(bool, equal);
        const MessageId first = MessageId::ofJson(one);
        const MessageId second = MessageId::ofJson(other);
        QVERIFY(first.isPresent() && second.isPresent());
        QCOMPARE(first == second, equal);
        const QHash<MessageId, int> table{{first, 1}};
        QCOMPARE(table.contains(second), equal);
    }
};

REKINDLE_TEST(MessageIdTest)
#include "messageidtest.moc"

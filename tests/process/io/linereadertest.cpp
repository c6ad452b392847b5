// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "process/io/linereader_p.h"
#include "process/io/stderrtail_p.h"
#include "testprogram.h"
#include "testrow.h"

#include <fcntl.h>

#include <array>

using namespace Rekindle;
using State = LineReader::State;

class LineReaderTest : public QObject
{
    Q_OBJECT

    UniqueFd m_writing;

    void open(LineReader &reader)
    {
        std::array<int, 2> ends{};
        QCOMPARE(::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK), 0);
        reader.open(UniqueFd(ends[0]));
        m_writing.reset(ends[1]);
    }

    void write(const QByteArray &bytes)
    {
        QCOMPARE(
            ::write(m_writing.get(), bytes.constData(), static_cast<std::size_t>(bytes.size())),
            static_cast<ssize_t>(bytes.size()));
    }

private Q_SLOTS:
    void readsLines()
    {
        LineReader reader(64);
        open(reader);
        QList<QByteArray> lines;
        QCOMPARE(reader.read(1024, lines), State::Empty);
        QVERIFY(lines.isEmpty());
        write("one\n\ntw");
        QCOMPARE(reader.read(1024, lines), State::Empty);
        QCOMPARE(lines, (QList<QByteArray>{"one", ""}));
        write("o\r\nrest");
        m_writing.reset();
        QCOMPARE(reader.read(1024, lines), State::Ended);
        QCOMPARE(lines, (QList<QByteArray>{"one", "", "two\r"}));
        reader.takeRest(lines);
        QCOMPARE(lines.last(), "rest");
        reader.takeRest(lines);
        QCOMPARE(lines.size(), 4);
    }

    void splitsLongLines_data()
    {
        const Rows<QByteArray, QList<QByteArray>> row("text", "lines");
        row("exact", "abcd\n", QList<QByteArray>{"abcd"});
        row("one more", "abcde\n", QList<QByteArray>{"abcd", "e"});
        row("twice", "abcdefgh\nx\n", QList<QByteArray>{"abcd", "efgh", "x"});
        row("between characters", "abc\xc3\xa4z\n", QList<QByteArray>{"abc", "\xc3\xa4z"});
        row("before a character of four bytes", "a\xf0\x9f\x98\x80\n",
            QList<QByteArray>{"a", "\xf0\x9f\x98\x80"});
        row("not UTF-8",
            "abc\xff"
            "de\n",
            QList<QByteArray>{"abc",
                              "\xff"
                              "de"});
        row("no first byte", QByteArray(5, '\x80') + '\n',
            QList<QByteArray>{QByteArray(4, '\x80'), "\x80"});
        row("no end", "abcdefghi", QList<QByteArray>{"abcd", "efgh"});
    }

    void splitsLongLines()
    {
        QFETCH(QByteArray, text);
        LineReader reader(4);
        open(reader);
        write(text);
        QList<QByteArray> lines;
        reader.read(1024, lines);
        QTEST(lines, "lines");
    }

    // Pieces of 0 bytes would be an endless loop.
    void clampsLongestLine()
    {
        for (const qsizetype longest : {qsizetype(-1), qsizetype(0), qsizetype(1)}) {
            LineReader reader(longest);
            open(reader);
            write("ab\n");
            QList<QByteArray> lines;
            reader.read(1024, lines);
            QCOMPARE(lines, (QList<QByteArray>{"a", "b"}));
        }
    }

    void linesDoNotDependOnReads()
    {
        LineReader reader(4);
        open(reader);
        QList<QByteArray> lines;
        for (const char byte : QByteArrayLiteral("abcdefgh\nx\nabcd\n")) {
            write(QByteArray(1, byte));
            QCOMPARE(reader.read(1, lines), State::MayHaveMore);
        }
        QCOMPARE(lines, (QList<QByteArray>{"abcd", "efgh", "x", "abcd"}));
    }

    void stopsAtLimit()
    {
        LineReader reader(1024);
        open(reader);
        write(QByteArray(60000, '\n'));
        QList<QByteArray> lines;
        QCOMPARE(reader.read(1000, lines), State::MayHaveMore);
        QVERIFY(lines.size() >= 1000);
        QVERIFY(lines.size() < 60000);
        QCOMPARE(reader.read(100000, lines), State::Empty);
        QCOMPARE(lines.size(), 60000);
    }

    void tailTruncatesLongLines()
    {
        StderrTail tail;
        tail.add(QByteArray(100000, 'x'));
        QCOMPARE(tail.lines().last().size(), StderrTail::longestLine + 3);
    }
};

REKINDLE_TEST(LineReaderTest)
#include "linereadertest.moc"

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"
#include "testrow.h"
#include "wire/lineframer_p.h"

using namespace Rekindle;

class LineFramerTest : public QObject
{
    Q_OBJECT

    static QList<QByteArray> textsOf(const std::vector<FramedLine> &lines)
    {
        QList<QByteArray> texts;
        for (const FramedLine &line : lines)
            texts.push_back((line.isTooLong ? "too long: " : "") + line.bytes);
        return texts;
    }

private Q_SLOTS:
    void splitsLines_data()
    {
        const Rows<QByteArray, QList<QByteArray>, QByteArray> row("stream", "lines", "rest");
        row("nothing", "", {}, "");
        row("one", "{}\n", {"{}"}, "");
        row("two and a half", "a\nbc\nd", {"a", "bc"}, "d");
        row("blank ones", "\n\n", {"", ""}, "");
        row("carriage return", "a\r\n\r\nb\rc\r\n", {"a", "", "b\rc"}, "");
        row("NUL", QByteArray("a\0b\n\0", 5), {QByteArray("a\0b", 3)}, QByteArray("\0", 1));
        row("exactly the longest", "12345678\n", {"12345678"}, "");
        row("and with a carriage return", "12345678\r\n", {"12345678"}, "");
        row("too long", "123456789\nb\n", {"too long: 123456789", "b"}, "");
        row("too long with a carriage return", "123456789\r\n", {"too long: 123456789"}, "");
        row("too long, no end", "a\n1234567890", {"a"}, "too long: 1234567890");
        row("rest with a carriage return", "ab\r", {}, "ab");
    }

    // With pieces of every size
    void splitsLines()
    {
        QFETCH(QByteArray, stream);
        for (qsizetype piece = 1; piece <= stream.size() + 1; ++piece) {
            LineFramer framer(8);
            std::vector<FramedLine> lines;
            for (qsizetype at = 0; at < stream.size(); at += piece)
                framer.add(QByteArrayView(stream).sliced(at, std::min(piece, stream.size() - at)),
                           lines);
            // How much of a long line is stored depends on the pieces.
            for (FramedLine &line : lines) {
                if (line.isTooLong)
                    line.bytes += line.lastBytes.last(line.size - line.bytes.size());
            }
            QTEST(textsOf(lines), "lines");
            std::optional<FramedLine> rest = framer.takeRest();
            if (rest && rest->isTooLong)
                rest->bytes += rest->lastBytes.last(rest->size - rest->bytes.size());
            QTEST(rest ? textsOf({*rest}).first() : QByteArray(), "rest");
            QVERIFY(!framer.takeRest());
        }
    }

    void storesBothEndsOfTooLongLine()
    {
        LineFramer framer(1024 * 1024);
        std::vector<FramedLine> lines;
        QByteArray piece(65536, 'x');
        framer.add("start", lines);
        for (int i = 0; i < 1600; ++i) {
            framer.add(piece, lines);
            QVERIFY(framer.pendingSize() <= 1024 * 1024 + piece.size());
        }
        QCOMPARE(framer.pendingSize(), LineFramer::firstBytesKept);
        QVERIFY(lines.empty());
        framer.add("end\r\nnext\n", lines);
        QCOMPARE(lines.size(), std::size_t(2));
        QVERIFY(lines[0].isTooLong);
        QCOMPARE(lines[0].size, 5 + 1600 * piece.size() + 3);
        QVERIFY(lines[0].bytes.startsWith("startx"));
        QCOMPARE(lines[0].bytes.size(), LineFramer::firstBytesKept);
        QVERIFY(lines[0].lastBytes.endsWith("xend"));
        QVERIFY(lines[0].lastBytes.size() <= LineFramer::lastBytesKept);
        QCOMPARE(lines[1].bytes, "next");
        QVERIFY(!lines[1].isTooLong);
    }

    // Copying everything for each piece would take minutes.
    void readsLongLinesInLinearTime()
    {
        LineFramer framer(128 * 1024 * 1024);
        std::vector<FramedLine> lines;
        const QByteArray piece(65536, 'x');
        for (int i = 0; i < 1600; ++i)
            framer.add(piece, lines);
        framer.add("\n", lines);
        QCOMPARE(lines.size(), std::size_t(1));
        QCOMPARE(lines[0].size, 1600 * piece.size());
        QCOMPARE(lines[0].bytes.size(), lines[0].size);
    }

    void clampsLongestLine()
    {
        for (const qsizetype longest : {qsizetype(-5), qsizetype(0), qsizetype(1)}) {
            LineFramer framer(longest);
            std::vector<FramedLine> lines;
            framer.add("a\nbc\n", lines);
            QCOMPARE(lines.size(), std::size_t(2));
            QCOMPARE(lines[0].bytes, "a");
            QVERIFY(lines[1].isTooLong);
        }
    }
};

REKINDLE_TEST(LineFramerTest)
#include "lineframertest.moc"

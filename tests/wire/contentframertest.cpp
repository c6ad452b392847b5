// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"
#include "testrow.h"
#include "wire/contentframer_p.h"

using namespace Rekindle;

class ContentFramerTest : public QObject
{
    Q_OBJECT

    static QList<QByteArray> add(ContentFramer &framer, QByteArrayView bytes)
    {
        QList<QByteArray> messages;
        while (std::optional<QByteArray> message = framer.addBytes(bytes))
            messages.push_back(*std::move(message));
        return messages;
    }

private Q_SLOTS:
    void splitsMessages_data()
    {
        const Rows<QByteArray, QList<QByteArray>, QString> row("stream", "messages", "fault");
        row("nothing", "", {}, "");
        row("one", "Content-Length: 2\r\n\r\n{}", {"{}"}, "");
        row("two", "Content-Length: 2\r\n\r\n{}Content-Length: 3\r\n\r\n[1]", {"{}", "[1]"}, "");
        row("incomplete", "Content-Length: 3\r\n\r\n{}", {}, "");
        row("no bytes", "Content-Length: 0\r\n\r\nContent-Length: 1\r\n\r\n1", {"", "1"}, "");
        row("line end in message", "Content-Length: 4\r\n\r\n\r\n\r\n", {"\r\n\r\n"}, "");
        row("other case", "content-LENGTH:2\r\n\r\n{}", {"{}"}, "");
        row("blanks", "Content-Length :  2 \r\n\r\n{}", {"{}"}, "");
        row("LF only", "Content-Length: 2\n\n{}", {"{}"}, "");
        row("type",
            "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: "
            "2\r\n\r\n{}",
            {"{}"}, "");
        row("type last", "Content-Length: 2\r\nContent-Type: x\r\n\r\n{}", {"{}"}, "");
        row("exactly the longest", "Content-Length: 8\r\n\r\n12345678", {"12345678"}, "");
        row("too large", "Content-Length: 9\r\n\r\n123456789", {},
            "a message has 9 bytes; the limit is 8");
        row("far too large", "Content-Length: 99999999999999999999\r\n\r\n", {},
            "expected a number of bytes after Content-Length, found \"99999999999999999999\"");
        row("negative", "Content-Length: -1\r\n\r\n", {},
            "expected a number of bytes after Content-Length, found \"-1\"");
        row("no number", "Content-Length: \r\n\r\n", {},
            "expected a number of bytes after Content-Length, found \"\"");
        row("repeated", "Content-Length: 1\r\nContent-Length: 1\r\n\r\n", {},
            "the header has several fields Content-Length");
        row("no length", "Content-Type: x\r\n\r\n{}", {}, "the header has no field Content-Length");
        row("no header", "{}\n", {},
            "expected a header such as \"Content-Length: 17\", found \"{}\"");
        row("garbage after message", "Content-Length: 2\r\n\r\n{}\nhello\n", {"{}"},
            "the header has no field Content-Length");
        row("many fields", "Content-Length: 1\r\n" + QByteArray("a: b\r\n").repeated(16), {},
            "the header is too long, near \"a: b\"");
    }

    // With a cut at every byte, and with pieces of every size
    void splitsMessages()
    {
        QFETCH(QByteArray, stream);
        for (qsizetype cut = 0; cut <= stream.size(); ++cut) {
            ContentFramer framer(8);
            const QByteArrayView all(stream);
            QList<QByteArray> messages = add(framer, all.first(cut));
            messages += add(framer, all.sliced(cut));
            QTEST(messages, "messages");
            QTEST(framer.fault(), "fault");
        }
        for (qsizetype piece = 1; piece <= stream.size(); ++piece) {
            ContentFramer framer(8);
            QList<QByteArray> messages;
            for (qsizetype at = 0; at < stream.size(); at += piece)
                messages += add(
                    framer, QByteArrayView(stream).sliced(at, std::min(piece, stream.size() - at)));
            QTEST(messages, "messages");
            QTEST(framer.fault(), "fault");
        }
    }

    void rejectsLongField()
    {
        ContentFramer framer;
        const QByteArray field = "x: " + QByteArray(2000, 'x') + "\r\n";
        QVERIFY(add(framer, field).isEmpty());
        QVERIFY2(framer.fault().startsWith(QStringLiteral("the header is too long")),
                 qPrintable(framer.fault()));
    }

    void rejectsFieldWithoutEnd()
    {
        ContentFramer framer;
        const QByteArray bytes(2000, 'x');
        QByteArrayView rest(bytes);
        QVERIFY(!framer.addBytes(rest));
        QVERIFY2(framer.fault().startsWith(QStringLiteral("the header is too long, near \"xxx")),
                 qPrintable(framer.fault()));
    }

    void writesHeaderThatItReads()
    {
        const QByteArray message(100'000, 'x');
        ContentFramer framer;
        const QByteArray stream = ContentFramer::header(message.size()) + message;
        QCOMPARE(add(framer, stream), QList<QByteArray>{message});
    }
};

REKINDLE_TEST(ContentFramerTest)
#include "contentframertest.moc"

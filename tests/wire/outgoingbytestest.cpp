// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"
#include "testrow.h"
#include "wire/outgoingbytes_p.h"

#include <algorithm>

using namespace Rekindle;

class OutgoingBytesTest : public QObject
{
    Q_OBJECT

    static QByteArray takeAll(OutgoingBytes &bytes, qsizetype most)
    {
        QByteArray all;
        while (!bytes.isEmpty()) {
            const QByteArray next =
                bytes.next().first(std::min(most, bytes.next().size())).toByteArray();
            all += next;
            bytes.drop(next.size());
        }
        return all;
    }

private Q_SLOTS:
    void preservesOrder_data()
    {
        const Rows<int> row("most");
        row("byte by byte", 1);
        row("in pieces", 1000);
        row("whole pieces", (1 << 20));
    }

    void preservesOrder()
    {
        QFETCH(int, most);
        const QByteArray large(OutgoingBytes::largeFrom, 'l');
        OutgoingBytes bytes;
        bytes.addLine("a");
        bytes.addLine(large);
        bytes.addLine({});
        bytes.addLine("b");
        bytes.addLine(large);
        const QByteArray all = "a\n" + large + "\n\nb\n" + large + '\n';
        QCOMPARE(bytes.size(), all.size());
        QCOMPARE(takeAll(bytes, most), all);
        QCOMPARE(bytes.size(), 0);
        QVERIFY(bytes.next().isEmpty());
    }

    void joinsSmallLines()
    {
        OutgoingBytes bytes;
        for (int i = 0; i < 16; ++i)
            bytes.addLine("line");
        bytes.drop(3);
        bytes.addLine("more");
        QCOMPARE(bytes.next().size(), bytes.size());
    }

    void doesNotCopyLargeLines()
    {
        const QByteArray large(OutgoingBytes::largeFrom, 'l');
        OutgoingBytes bytes;
        bytes.addLine(large);
        QCOMPARE(static_cast<const void *>(bytes.next().data()),
                 static_cast<const void *>(large.constData()));
    }
};

REKINDLE_TEST(OutgoingBytesTest)
#include "outgoingbytestest.moc"

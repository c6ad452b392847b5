// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "mcp/tools/uniquenames_p.h"
#include "testprogram.h"
#include "testrow.h"

using namespace Rekindle;

class UniqueNamesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void laterServersGetAPrefix()
    {
        UniqueNames names;
        QCOMPARE(names.add({0, "read"}, "a"), QByteArray("read"));
        QCOMPARE(names.add({1, "read"}, "b"), QByteArray("b__read"));
        QCOMPARE(names.add({1, "read"}, "b"), std::nullopt); // known
        QCOMPARE(names.add({2, "b__read"}, "b"), QByteArray("b__b__read"));
        QCOMPARE(names.ownerOf("b__read")->server, 1);
    }

    void limitsTheSizeOfNewNames_data()
    {
        const Rows<QByteArray> row("key");
        row("64", QByteArray(64 - 34, 'k'));
        row("65", QByteArray(65 - 34, 'k'));
        row("1,000", QByteArray(1'000, 'k'));
        row("two bytes each", QByteArray("\xc3\xa4").repeated(100));
        row("two bytes each, shifted", 'k' + QByteArray("\xc3\xa4").repeated(100));
    }

    void limitsTheSizeOfNewNames()
    {
        QFETCH(QByteArray, key);
        const QByteArray prefix(32, 'p');
        UniqueNames names;
        QCOMPARE(names.add({0, key}, prefix), key); // the server's name
        QSet<QByteArray> seen{key};
        for (int server = 1; server < 20; ++server) {
            for (const char *end : {"", "1", "2"}) {
                const QByteArray own = key + end;
                const auto name = names.add({server, own}, prefix);
                QVERIFY(name && !seen.contains(*name));
                seen.insert(*name);
                QVERIFY(*name == own || name->size() <= UniqueNames::longestName);
                QCOMPARE(QString::fromUtf8(*name).toUtf8(), *name);
                const auto owner = names.ownerOf(*name);
                QVERIFY(owner && owner->server == server && owner->key == own);
            }
        }
    }

    // Clients store the names of permitted tools.
    void newNameDependsOnNothingElse()
    {
        UniqueNames one;
        UniqueNames other;
        const QByteArray key(80, 'k');
        (void)one.add({0, key}, "a");
        (void)other.add({5, key}, "f");
        (void)other.add({6, "x"}, "g");
        QCOMPARE(one.add({1, key}, "b"), other.add({1, key}, "b"));
    }
};

REKINDLE_TEST(UniqueNamesTest)
#include "uniquenamestest.moc"

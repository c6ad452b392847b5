// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/idlist_p.h"
#include "testprogram.h"

#include <memory>

using namespace Rekindle;

namespace {

struct Item
{
    QUuid id;
    int number = 0;
};

} // namespace

class IdListTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findsInAnyOrder();
    void findsNeighborsOfRemovedItems();
    void addressStaysUntilRemoval();
    void holdsPointers();
    void arrangesSome();
    void returnsIdsAfterEachChange();
};

void IdListTest::findsInAnyOrder()
{
    IdList<Item> list;
    QList<QUuid> ids;
    for (int i = 0; i < 5; ++i) {
        ids.append(QUuid::createUuid());
        list.add(Item{ids.last(), i});
    }
    QCOMPARE(list.ids(), ids);
    for (int first = 0; first < 5; ++first) {
        for (int second = 0; second < 5; ++second) {
            QCOMPARE(list.find(ids[first])->number, first);
            QCOMPARE(list.find(ids[second])->number, second);
        }
    }
    QVERIFY(!list.find(QUuid::createUuid()));
    QVERIFY(!list.find({}));
    QCOMPARE(list.find(ids[3])->number, 3);
    list.clear();
    QVERIFY(!list.contains(ids[3]));
}

void IdListTest::findsNeighborsOfRemovedItems()
{
    for (int removed = 0; removed < 3; ++removed) {
        for (int foundBefore = 0; foundBefore < 3; ++foundBefore) {
            IdList<Item> list;
            QList<QUuid> ids;
            for (int i = 0; i < 3; ++i) {
                ids.append(QUuid::createUuid());
                list.add(Item{ids.last(), i});
            }
            QVERIFY(list.contains(ids[foundBefore]));
            const std::list<Item> taken = list.take(ids[removed]);
            QCOMPARE(taken.size(), std::size_t{1});
            QCOMPARE(taken.front().number, removed);
            for (int i = 0; i < 3; ++i)
                QCOMPARE(list.contains(ids[i]), i != removed);
            QVERIFY(list.take(ids[removed]).empty());
            QCOMPARE(list.ids().size(), 2);
        }
    }
}

void IdListTest::addressStaysUntilRemoval()
{
    IdList<Item> list;
    const QUuid id = QUuid::createUuid();
    const Item *const first = &list.add(Item{id, 7});
    for (int i = 0; i < 100; ++i)
        list.add(Item{QUuid::createUuid(), i});
    QCOMPARE(list.find(id), first);
    const std::list<Item> taken = list.take(id);
    QCOMPARE(&taken.front(), first);
}

void IdListTest::holdsPointers()
{
    IdList<std::shared_ptr<Item>> list;
    const auto item = std::make_shared<Item>(Item{QUuid::createUuid(), 3});
    list.add(item);
    QCOMPARE(*list.find(item->id), item);
}

void IdListTest::arrangesSome()
{
    IdList<Item> list;
    QList<QUuid> ids;
    for (int i = 0; i < 4; ++i) {
        ids.append(QUuid::createUuid());
        list.add(Item{ids.last(), i});
    }
    QVERIFY(list.contains(ids[3]));
    list.arrange({ids[3], ids[0], ids[2]});
    QCOMPARE(list.ids(), (QList<QUuid>{ids[3], ids[1], ids[0], ids[2]}));
    for (int i = 0; i < 4; ++i)
        QCOMPARE(list.find(ids[i])->number, i);
    list.add(Item{QUuid::createUuid(), 4});
    QCOMPARE(list.take(ids[3]).front().number, 3);
    QCOMPARE(list.ids().mid(0, 3), (QList<QUuid>{ids[1], ids[0], ids[2]}));
}

void IdListTest::returnsIdsAfterEachChange()
{
    IdList<Item> list;
    QCOMPARE(list.ids(), QList<QUuid>());
    const QUuid first = QUuid::createUuid();
    const QUuid second = QUuid::createUuid();
    list.add(Item{first, 0});
    QCOMPARE(list.ids(), QList<QUuid>{first});
    list.add(Item{second, 1});
    QCOMPARE(list.ids(), (QList<QUuid>{first, second}));
    list.arrange({second, first});
    QCOMPARE(list.ids(), (QList<QUuid>{second, first}));
    QCOMPARE(list.take(second).size(), std::size_t{1});
    QCOMPARE(list.ids(), QList<QUuid>{first});
    list.clear();
    QCOMPARE(list.ids(), QList<QUuid>());
}

REKINDLE_TEST(IdListTest)
#include "idlisttest.moc"

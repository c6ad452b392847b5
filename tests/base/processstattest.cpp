// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "base/processes/processstat_p.h"
#include "testprogram.h"
#include "testrow.h"

#include <unistd.h>

using namespace Rekindle;

class ProcessStatTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void parsesFields();
    void acceptsAnyName_data();
    void acceptsAnyName();
    void rejectsIncompleteText_data();
    void rejectsIncompleteText();
    void readsOwnProcess();
    void findsNoProcess();
};

namespace {

constexpr char afterName[] = " S 10 4711 11 0 -1 4194560 5 6 7 8 120 34 3 4 20 0 1 0 98765 1000000 "
                             "250 18446744073709551615 1 1 0\n";

} // namespace

void ProcessStatTest::parsesFields()
{
    const auto stat = ProcessStat::parse(std::string("12 (web)") + afterName);
    QVERIFY(stat);
    QCOMPARE(stat->state, 'S');
    QCOMPARE(stat->group, 4711);
    QCOMPARE(stat->cpuTime.count() * ::sysconf(_SC_CLK_TCK), 154 * 1000);
    QCOMPARE(stat->childrenCpuTime.count() * ::sysconf(_SC_CLK_TCK), 7 * 1000);
    QCOMPARE(stat->startTicks, 98765);
    QCOMPARE(stat->residentBytes, 250 * ::sysconf(_SC_PAGESIZE));
    QVERIFY(!stat->hasExited());
}

void ProcessStatTest::acceptsAnyName_data()
{
    const Rows<QByteArray> row("name");
    row("bracket", "a) Z 1");
    row("blanks", " a b ");
    row("line feed", "a\nb");
    row("empty", {});
}

void ProcessStatTest::acceptsAnyName()
{
    QFETCH(const QByteArray, name);
    const auto stat = ProcessStat::parse("12 (" + name.toStdString() + ")" + afterName);
    QVERIFY(stat);
    QCOMPARE(stat->state, 'S');
    QCOMPARE(stat->group, 4711);
}

void ProcessStatTest::rejectsIncompleteText_data()
{
    const Rows<QByteArray> row("text");
    row("empty", {});
    row("no name", "12");
    row("open name", "12 (web");
    row("name only", "12 (web)");
    row("some fields", "12 (web) S 10 4711 11 0 -1");
    row("text instead of a number", "12 (web) S 10 x 11 0 -1 1 2 3 4 5 6 7");
}

void ProcessStatTest::rejectsIncompleteText()
{
    QFETCH(const QByteArray, text);
    QVERIFY(!ProcessStat::parse(text.toStdString()));
}

void ProcessStatTest::readsOwnProcess()
{
    const auto stat = ProcessStat::of(::getpid());
    QVERIFY(stat);
    QCOMPARE(stat->group, ::getpgrp());
    QVERIFY(stat->residentBytes > 0);
    QVERIFY(stat->startTicks > 0);
    QVERIFY(!stat->hasExited());
}

void ProcessStatTest::findsNoProcess() { QVERIFY(!ProcessStat::of(-1)); }

REKINDLE_TEST(ProcessStatTest)
#include "processstattest.moc"

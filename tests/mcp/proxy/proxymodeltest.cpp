// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "proxytraffic.h"

#include "properties.h"
#include "testprogram.h"

using namespace Rekindle;

class ProxyModelTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void answersEveryRequestExactlyOnce()
    {
        verifyTraces("each request gets one answer, and servers their handshake", 3000, 300,
                     [](std::uint32_t seed) {
                         return ProxyTraffic(seed,
                                             seed % 3 == 0 ? CallRetry::Never : CallRetry::Safe);
                     });
    }

    // The property above depends on them.
    void tracesReachAllSituations()
    {
        int answers = 0;
        int crashes = 0;
        int repeatedWrites = 0;
        for (std::uint32_t run = 0; run < 100; ++run) {
            ProxyTraffic traffic(run, CallRetry::Safe);
            for (std::uint32_t i = 0; i < 1000; ++i)
                traffic.step(run * 1000 + i);
            QVERIFY2(traffic.fault().isEmpty(), qPrintable(traffic.fault()));
            traffic.finish();
            QVERIFY2(traffic.fault().isEmpty(), qPrintable(traffic.fault()));
            answers += traffic.answers();
            crashes += traffic.crashes();
            repeatedWrites += traffic.repeatedWrites();
        }
        QVERIFY2(answers > 10000, qPrintable(QString::number(answers)));
        QVERIFY2(crashes > 1000, qPrintable(QString::number(crashes)));
        QVERIFY2(repeatedWrites > 100, qPrintable(QString::number(repeatedWrites)));
    }
};

REKINDLE_TEST(ProxyModelTest)
#include "proxymodeltest.moc"

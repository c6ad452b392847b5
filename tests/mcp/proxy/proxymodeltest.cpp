// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "proxytraffic.h"

#include "properties.h"
#include "testprogram.h"

using namespace Rekindle;

namespace {
// One number is one step of a trace, so that a trace shrinks to the steps that matter.
using Trace = std::vector<std::uint32_t>;
} // namespace

class ProxyModelTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void answersEveryRequestExactlyOnce()
    {
        verifyProperty("each request gets one answer, and servers their handshake", 3000, [] {
            const auto number = rc::gen::resize(100, rc::gen::inRange(0U, 1U << 31));
            const std::uint32_t seed = *number;
            const Trace trace = *rc::gen::resize(300, rc::gen::container<Trace>(number));
            ProxyTraffic traffic(seed, seed % 3 == 0 ? CallRetry::Never : CallRetry::Safe);
            for (const std::uint32_t step : trace) {
                if (!traffic.fault().isEmpty())
                    break;
                traffic.step(step);
            }
            if (traffic.fault().isEmpty())
                traffic.finish();
            if (!traffic.fault().isEmpty())
                RC_FAIL(traffic.fault().toStdString());
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

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "proxyworld.h"

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
    void everyRequestGetsExactlyOneAnswer();
    void theTracesAreWorthSomething();
};

void ProxyModelTest::everyRequestGetsExactlyOneAnswer()
{
    verifyProperty("each request gets one answer, and servers their handshake", 3000, [] {
        const auto number = rc::gen::resize(100, rc::gen::inRange(0U, 1U << 31));
        const std::uint32_t seed = *number;
        const Trace trace = *rc::gen::resize(300, rc::gen::container<Trace>(number));
        ProxyWorld world(seed, seed % 3 == 0 ? CallRetry::Never : CallRetry::Safe);
        for (const std::uint32_t step : trace) {
            if (!world.fault().isEmpty())
                break;
            world.step(step);
        }
        if (world.fault().isEmpty())
            world.finish();
        if (!world.fault().isEmpty())
            RC_FAIL(world.fault().toStdString());
    });
}

// The property above is worth as much as its traces.
void ProxyModelTest::theTracesAreWorthSomething()
{
    int answers = 0;
    int crashes = 0;
    int madeAgain = 0;
    for (std::uint32_t run = 0; run < 100; ++run) {
        ProxyWorld world(run, CallRetry::Safe);
        for (std::uint32_t i = 0; i < 1000; ++i)
            world.step(run * 1000 + i);
        QVERIFY2(world.fault().isEmpty(), qPrintable(world.fault()));
        world.finish();
        QVERIFY2(world.fault().isEmpty(), qPrintable(world.fault()));
        answers += world.answers();
        crashes += world.crashes();
        madeAgain += world.madeAgain();
    }
    QVERIFY2(answers > 10000, qPrintable(QString::number(answers)));
    QVERIFY2(crashes > 1000, qPrintable(QString::number(crashes)));
    QVERIFY2(madeAgain > 100, qPrintable(QString::number(madeAgain)));
}

REKINDLE_TEST(ProxyModelTest)
#include "proxymodeltest.moc"

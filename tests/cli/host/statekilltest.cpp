// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "killedhosts.h"
#include "testprogram.h"
#include "testrow.h"

#include <vector>

using namespace Rekindle;

/// Hosts that are killed at any time of a crash loop continue the loop after a restart and lose no
/// agent: 300 times, ten hosts at a time.
class StateKillTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void atRandomMoments_data();
    void atRandomMoments();
};

namespace {

constexpr int hosts = 10;
constexpr int lives = 10;
constexpr int patience = 120'000;

QJsonObject policy(const QJsonValue &maxRetries, const QJsonValue &breaker)
{
    return {
        {QStringLiteral("initialDelay"), QStringLiteral("20ms")},
        {QStringLiteral("multiplier"), 1},
        {QStringLiteral("jitter"), QJsonObject{{QStringLiteral("kind"), QStringLiteral("none")}}},
        {QStringLiteral("maxRetries"), maxRetries},
        {QStringLiteral("circuitBreaker"), breaker}};
}

} // namespace

void StateKillTest::atRandomMoments_data()
{
    const Rows<QJsonObject, quint32> row("policy", "seed");
    const QString off = QStringLiteral("off");
    const QString unlimited = QStringLiteral("unlimited");
    const QJsonObject breaker{{QStringLiteral("threshold"), 3},
                              {QStringLiteral("timeout"), QStringLiteral("100ms")}};
    row("a loop without an end", policy(unlimited, off), 20'261'121U);
    row("a loop with a breaker", policy(unlimited, breaker), 1U);
    row("a loop that is given up", policy(6, off), 2U);
}

void StateKillTest::atRandomMoments()
{
    QFETCH(QJsonObject, policy);
    QFETCH(quint32, seed);
    std::vector<std::unique_ptr<KilledHosts>> all;
    for (quint32 i = 0; i < hosts; ++i) {
        all.push_back(std::make_unique<KilledHosts>(policy, seed + i, lives));
        all.back()->begin();
    }
    const auto areOver = [&] {
        return std::all_of(all.begin(), all.end(), [](const auto &each) { return each->isOver(); });
    };
    const bool over = QTest::qWaitFor(areOver, patience);
    int resumed = 0;
    for (const auto &each : all) {
        QVERIFY2(each->fault().isEmpty(), qPrintable(each->fault()));
        resumed += each->resumed();
        QVERIFY(each->last().attempt > 0);
    }
    QVERIFY(over); // a host that lost an agent would wait without end
    QVERIFY2(resumed > hosts * lives / 2, qPrintable(QString::number(resumed)));
    if (policy[QLatin1String("maxRetries")] == 6) {
        const auto givenUp = std::count_if(all.begin(), all.end(), [](const auto &each) {
            return each->last().state == InstanceState::Exhausted;
        });
        QVERIFY(givenUp > hosts / 2);
    }
}

REKINDLE_TEST(StateKillTest)
#include "statekilltest.moc"

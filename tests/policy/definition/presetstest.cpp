// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "testprogram.h"
#include "testrow.h"

#include <rekindle/policy/backoff.h>
#include <rekindle/policy/policyjson.h>
#include <rekindle/policy/presets.h>

#include <array>

using namespace Rekindle;
using namespace std::chrono_literals;

using Delays = std::array<Duration, 12>;

namespace {

// The documented values of a preset; each row names the source.
struct Promise
{
    std::optional<int> maxRetries = {};
    Delays delays = {}; ///< before attempts 1 to 12, without jitter
    std::optional<RestartWindow> window = {};
    RestartOn restartOn = RestartOn::Failure;
    Jitter jitter = {};
    Duration stableAfter = 60s;
    Duration minInterval{0};
    Duration requestedDelay{0};
    RequestLimit requestLimit{10, 1min};
    std::optional<CircuitBreakerPolicy> breaker = {};
    QList<int> permanent = {126, 127};
};

constexpr std::optional<int> unlimited;
constexpr CircuitBreakerPolicy usualBreaker{5, 5min, 1.0, 1h};
constexpr Jitter usualJitter{JitterKind::Symmetric, 0.25, true};
constexpr Jitter noJitter{JitterKind::None, 0.25, true};

Delays all(Duration delay)
{
    Delays delays;
    delays.fill(delay);
    return delays;
}

} // namespace

Q_DECLARE_METATYPE(Promise)

class PresetsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void listsAllPresets();
    void everyPresetIsValid_data();
    void everyPresetIsValid();
    void everyPresetHasItsDocumentedSchedule_data();
    void everyPresetHasItsDocumentedSchedule();
    void rejectsUnknownNames();
};

void PresetsTest::listsAllPresets()
{
    QCOMPARE(presetNames().join(u' '),
             QStringLiteral("default exponential immediate kubernetes linear mcp-proxy none otp "
                            "spawn stdio-backend systemd tool-call vscode watchdog"));
}

void PresetsTest::everyPresetIsValid_data()
{
    const Rows<QString> row("name");
    for (const QString &name : presetNames())
        row(qPrintable(name), name);
}

void PresetsTest::everyPresetIsValid()
{
    QFETCH(const QString, name);
    const Parsed<RestartPolicy> parsed = restartPolicyFromJson(presetJson(name));
    QVERIFY2(parsed, qPrintable(parsed.messages().join(u'\n')));
    QVERIFY(!hasErrors(validate(*parsed.value)));
    QVERIFY(!hasErrors(validate(*parsed.value, true)));
    QCOMPARE(preset(name), parsed.value);
}

void PresetsTest::everyPresetHasItsDocumentedSchedule_data()
{
    const Rows<RestartPolicyType, Promise> row("type", "promise");
    using enum RestartPolicyType;
    const Delays doubling = {1s, 2s, 4s, 8s, 16s, 32s, 60s, 60s, 60s, 60s, 60s, 60s};

    row("none", None,
        {.maxRetries = 10, .delays = all(0s), .jitter = usualJitter, .breaker = usualBreaker});
    row("immediate", Immediate,
        {.maxRetries = 10, .delays = all(0s), .jitter = usualJitter, .breaker = usualBreaker});
    row("linear", Linear,
        {.maxRetries = 10,
         .delays = {1s, 2s, 3s, 4s, 5s, 6s, 7s, 8s, 9s, 10s, 11s, 12s},
         .jitter = usualJitter,
         .breaker = usualBreaker});
    const Promise usual{
        .maxRetries = 10, .delays = doubling, .jitter = usualJitter, .breaker = usualBreaker};
    row("exponential", Exponential, usual);
    row("default", Exponential, usual);
    // S2: 1 s * 2^(n-1) capped at 60 s, plus 0 to 50 % of the capped delay, no limit.
    row("stdio-backend", Exponential,
        {.maxRetries = unlimited,
         .delays = doubling,
         .restartOn = RestartOn::Always,
         .jitter = {JitterKind::Additive, 0.5, false}});
    // S4: restarts 1 to 3 after 1 s, 4 to 10 after 5 s, then 10 s; at most one start a second, so
    // that 60 requested restarts per minute are possible.
    row("watchdog", Stepped,
        {.maxRetries = unlimited,
         .delays = {1s, 1s, 1s, 5s, 5s, 5s, 5s, 5s, 5s, 5s, 10s, 10s},
         .jitter = noJitter,
         .minInterval = 1s,
         .requestedDelay = 500ms,
         .requestLimit = {60, 1min}});
    row("mcp-proxy", Exponential,
        {.maxRetries = unlimited,
         .delays = {0s, 1s, 2s, 4s, 8s, 16s, 32s, 60s, 60s, 60s, 60s, 60s},
         .restartOn = RestartOn::Always,
         .jitter = usualJitter});
    row("spawn", Exponential,
        {.maxRetries = 5,
         .delays = {250ms, 500ms, 1s, 2s, 4s, 5s, 5s, 5s, 5s, 5s, 5s, 5s},
         .jitter = {JitterKind::Additive, 0.5, true}});
    // S3: 100 ms, at most 1 s, 3 retries, 0 to 50 % more; 5 failures in a row, 60 s.
    row("tool-call", Exponential,
        {.maxRetries = 3,
         .delays = {100ms, 200ms, 400ms, 800ms, 1s, 1s, 1s, 1s, 1s, 1s, 1s, 1s},
         .jitter = {JitterKind::Additive, 0.5, true},
         .breaker = CircuitBreakerPolicy{5, 60s, 1.0, 1h}});
    // supervisor.erl: permanent, intensity 1 in period 5 s, no delay.
    row("otp", Immediate,
        {.maxRetries = unlimited,
         .delays = all(0s),
         .window = RestartWindow{1, 5s},
         .restartOn = RestartOn::Always,
         .jitter = noJitter,
         .stableAfter = 5s,
         .permanent = {}});
    // systemd.service: RestartSec=100ms, StartLimitBurst=5 in 10 s with the first start counted.
    row("systemd", Stepped,
        {.maxRetries = unlimited,
         .delays = all(100ms),
         .window = RestartWindow{4, 10s},
         .jitter = noJitter,
         .stableAfter = 10s,
         .permanent = {}});
    // kubelet: the first at once, then 10, 20, 40 to 300 s; forgotten after 10 min.
    row("kubernetes", Exponential,
        {.maxRetries = unlimited,
         .delays = {0s, 10s, 20s, 40s, 80s, 160s, 300s, 300s, 300s, 300s, 300s, 300s},
         .restartOn = RestartOn::Always,
         .jitter = noJitter,
         .stableAfter = 10min,
         .permanent = {}});
    // vscode-languageclient: at once, the fifth crash within 3 min is the last.
    row("vscode", Immediate,
        {.maxRetries = unlimited,
         .delays = all(0s),
         .window = RestartWindow{4, 3min},
         .restartOn = RestartOn::Always,
         .jitter = noJitter,
         .permanent = {}});
}

void PresetsTest::everyPresetHasItsDocumentedSchedule()
{
    QFETCH(const RestartPolicyType, type);
    QFETCH(const Promise, promise);
    const std::optional<RestartPolicy> policy =
        preset(QString::fromLatin1(QTest::currentDataTag()));
    QVERIFY(policy);
    QCOMPARE(toText(policy->type), toText(type));
    QCOMPARE(policy->maxRetries, promise.maxRetries);
    for (int n = 1; n <= 12; ++n)
        QCOMPARE(Backoff::baseDelay(*policy, n), promise.delays[static_cast<std::size_t>(n) - 1]);
    QCOMPARE(policy->window, promise.window);
    QCOMPARE(policy->restartOn, promise.restartOn);
    QCOMPARE(policy->jitter, promise.jitter);
    QCOMPARE(policy->stableAfter, promise.stableAfter);
    QCOMPARE(policy->startTimeout, Duration(30s));
    QCOMPARE(policy->minInterval, promise.minInterval);
    QCOMPARE(policy->requestedDelay, promise.requestedDelay);
    QVERIFY(policy->requestLimit == promise.requestLimit);
    QCOMPARE(policy->circuitBreaker, promise.breaker);
    QCOMPARE(policy->permanentExitCodes, promise.permanent);
    QVERIFY(policy->permanentReasons.isEmpty());
    QVERIFY(!policy->rearmAfter && !policy->evaluator);
}

void PresetsTest::rejectsUnknownNames()
{
    for (const QString &name : {QString(), QStringLiteral("Default"), QStringLiteral("none.json"),
                                QStringLiteral("../policies/none"), QStringLiteral("custom")}) {
        QVERIFY(!preset(name));
        QVERIFY(presetJson(name).isEmpty());
    }
}

REKINDLE_TEST(PresetsTest)
#include "presetstest.moc"

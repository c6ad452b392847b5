// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "sanitizer.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/simulation/simulation.h>

using namespace Rekindle;
using namespace std::chrono_literals;

namespace {

template<typename T>
T valueOf(const Parsed<T> &parsed)
{
    if (!parsed)
        qFatal("%s", qPrintable(parsed.messages().join(u'\n')));
    return *parsed.value;
}

Configuration configurationOf(const QByteArray &json)
{
    return valueOf(parseConfiguration(json, QStringLiteral("/")));
}

QJsonObject readObject(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("cannot open %s", qPrintable(path));
    return QJsonDocument::fromJson(file.readAll()).object();
}

QByteArray textOf(const QJsonObject &parent, QLatin1String key)
{
    return QJsonDocument(parent[key].toObject()).toJson(QJsonDocument::Compact);
}

// Agents whose policies differ in what stops or delays a restart.
constexpr char manyPolicies[] = R"({"agents": [
    {"name": "default", "kind": "process", "program": "true",
     "health": [{"kind": "exec", "command": ["true"], "interval": "10s"}]},
    {"name": "limited", "kind": "process", "program": "true", "ready": "now",
     "policy": {"type": "linear", "maxRetries": 3, "rearmAfter": "10m",
                "jitter": {"kind": "decorrelated"}}},
    {"name": "window", "kind": "process", "program": "true",
     "policy": {"type": "immediate", "maxRetries": "unlimited", "stableAfter": "0s",
                "window": {"restarts": 5, "period": "10m"}}},
    {"name": "breaker", "kind": "process", "program": "true",
     "policy": {"type": "exponential", "circuitBreaker": {"threshold": 2, "timeout": "1m"}}},
    {"name": "always", "kind": "process", "program": "true",
     "policy": {"type": "stepped", "steps": ["1s", "30s"], "restartOn": "always",
                "startTimeout": "3s", "minInterval": "20s"}}]})";

} // namespace

/// Runs that must violate no rule: many random ones, and those that did once.
class GraveyardTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void storedCaseViolatesNoRule_data()
    {
        const Rows<QString> row("path");
        const QDir folder(QStringLiteral(GRAVEYARD));
        for (const QString &name : folder.entryList({QStringLiteral("*.json")}, QDir::Files))
            row(qPrintable(name), folder.filePath(name));
    }

    void storedCaseViolatesNoRule()
    {
        QFETCH(QString, path);
        const QJsonObject stored = readObject(path);
        QVERIFY(!stored.isEmpty());
        QByteArray trace;
        for (const QJsonValue &step : stored[QLatin1String("trace")].toArray())
            trace += QJsonDocument(step.toObject()).toJson(QJsonDocument::Compact) + '\n';
        const SimulationOptions options{
            .length = durationFromString(stored[QLatin1String("for")].toString()).value_or(24h),
            .seed = static_cast<quint64>(stored[QLatin1String("seed")].toInt(1)),
            .models = valueOf(parseFailureModels(textOf(stored, QLatin1String("faults")))),
            .trace = valueOf(parseSimulationTrace(trace))};
        const SimulationResult result =
            simulate(configurationOf(textOf(stored, QLatin1String("configuration"))), options);
        QCOMPARE(result.violations, QStringList());
        const QJsonObject figures = stored[QLatin1String("figures")].toObject();
        for (auto each = figures.begin(); each != figures.end(); ++each) {
            const std::optional<double> value = result.figure(each.key());
            QVERIFY2(value && *value == each->toDouble(),
                     qPrintable(QStringLiteral("%1: %2").arg(each.key()).arg(value.value_or(-1))));
        }
    }

    void randomRunsViolateNoRule()
    {
        const Configuration configuration = configurationOf(manyPolicies);
        SimulationOptions options{.length = 30min,
                                  .models = valueOf(parseFailureModels(
                                      R"({"ready": "2s±2s", "life": "exp 1m",
                    "end": {"1": 0.6, "0": 0.1, "42": 0.1, "127": 0.05, "SIGSEGV": 0.15}})")),
                                  .trace = valueOf(parseSimulationTrace(
                                      R"({"at": "2m", "agent": "default", "do": "hang"}
                   {"at": "5m", "agent": "breaker", "do": "isolate"}
                   {"at": "9m", "agent": "breaker", "do": "release"}
                   {"at": "12m", "agent": "always", "do": "slow", "by": "5s"}
                   {"at": "15m", "agent": "window", "do": "restart"}
                   {"at": "18m", "agent": "limited", "do": "stop"}
                   {"at": "20m", "agent": "limited", "do": "start"}
                   {"at": "23m", "agent": "breaker", "do": "reset"}
                   {"at": "26m", "agent": "default", "do": "unhealthy", "for": "2m"})"))};
        constexpr quint64 runs = runsHere(1000);
        constexpr quint64 repeated = runsHere(100);
        for (options.seed = 1; options.seed <= runs; ++options.seed) {
            const SimulationResult result = simulate(configuration, options);
            QVERIFY2(result.violations.isEmpty(),
                     qPrintable(QStringLiteral("seed %1: %2")
                                    .arg(options.seed)
                                    .arg(result.violations.join(u'\n'))));
            if (options.seed <= repeated)
                QCOMPARE(toJson(simulate(configuration, options)), toJson(result));
        }
    }
};

REKINDLE_TEST(GraveyardTest)
#include "graveyardtest.moc"

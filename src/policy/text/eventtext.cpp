// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "policy/internal/texthelpers.h"
#include "policy/values/eventfields_p.h"

#include <rekindle/policy/eventtext.h>
#include <rekindle/policy/toolcallfinished.h>

#include <QJsonDocument>

#include <algorithm>
#include <array>
#include <concepts>

namespace Rekindle {

namespace {

// The fields of an event, from the event itself or from its JSON.
class FieldReader
{
public:
    virtual ~FieldReader() = default;
    // Empty if there is no such field. A number is returned as text.
    [[nodiscard]] virtual QString text(const char *key) const = 0;
    [[nodiscard]] virtual std::optional<qint64> number(const char *key) const = 0;
    [[nodiscard]] virtual std::optional<Duration> duration(const char *key) const = 0;
    [[nodiscard]] virtual bool isTrue(const char *key) const = 0;
    [[nodiscard]] virtual QStringList texts(const char *key) const = 0;
};

class JsonReader final : public FieldReader
{
public:
    explicit JsonReader(const QJsonObject &object)
        : m_object(object)
    {
    }

    [[nodiscard]] QString text(const char *key) const override { return textIn(m_object, key); }
    [[nodiscard]] std::optional<qint64> number(const char *key) const override
    {
        const QJsonValue value = m_object[QLatin1String(key)];
        return value.isDouble() ? std::optional(value.toInteger()) : std::nullopt;
    }
    [[nodiscard]] std::optional<Duration> duration(const char *key) const override
    {
        return m_object[QLatin1String(key)].isDouble() ? std::optional(durationIn(m_object, key))
                                                       : std::nullopt;
    }
    [[nodiscard]] bool isTrue(const char *key) const override
    {
        return m_object[QLatin1String(key)].toBool();
    }
    [[nodiscard]] QStringList texts(const char *key) const override
    {
        return m_object[QLatin1String(key)].toVariant().toStringList();
    }

private:
    const QJsonObject &m_object;
};

// In JSON, invalid UTF-16 is replaced, too.
QString asText(const QString &text)
{
    return text.isValidUtf16() ? text : QString::fromStdU32String(text.toStdU32String());
}
QString asText(QLatin1String text) { return text; }
QString asText(std::integral auto number) { return QString::number(number); }

// Finds one field of an event. A field of another type is not found.
template<typename Result>
struct FieldSearch
{
    QLatin1String key;
    std::optional<Result> found{};

    void member(QLatin1String name, const auto &value)
    {
        if (name == key)
            take(value);
    }

private:
    template<typename Value>
    void take(const std::optional<Value> &value)
    {
        if (value)
            take(*value);
    }
    template<typename Value>
    void take(const Value &value)
    {
        if constexpr (std::same_as<Result, QString> && requires { asText(value); })
            found = asText(value);
        else if constexpr (std::same_as<Result, Value>
                           || (std::same_as<Result, qint64> && std::integral<Value>))
            found = static_cast<Result>(value);
    }
};

class EventReader final : public FieldReader
{
public:
    explicit EventReader(const LifecycleEvent &event)
        : m_event(event)
    {
    }

    [[nodiscard]] QString text(const char *key) const override
    {
        return find<QString>(key).value_or(QString());
    }
    [[nodiscard]] std::optional<qint64> number(const char *key) const override
    {
        return find<qint64>(key);
    }
    [[nodiscard]] std::optional<Duration> duration(const char *key) const override
    {
        return find<Duration>(key);
    }
    [[nodiscard]] bool isTrue(const char *key) const override
    {
        return find<bool>(key).value_or(false);
    }
    [[nodiscard]] QStringList texts(const char *key) const override
    {
        return find<QStringList>(key).value_or(QStringList());
    }

private:
    template<typename Result>
    [[nodiscard]] std::optional<Result> find(const char *key) const
    {
        FieldSearch<Result> search{QLatin1String(key)};
        EventFields<FieldSearch<Result>>::visit(m_event, search);
        return search.found;
    }

    const LifecycleEvent &m_event;
};

QString durationText(const FieldReader &data, const char *key)
{
    return readable(data.duration(key).value_or(Duration{0}));
}

QString failed(const FieldReader &data)
{
    FailureDetail detail;
    detail.message = data.text("detail");
    detail.processId = data.number("pid").value_or(0);
    detail.exitCode = data.number("exitCode");
    detail.signal = data.number("signal");
    const auto reason = valueOf(failureReasons, data.text("reason"));
    return QStringLiteral("failed (%1)%2")
        .arg(failureText(reason.value_or(FailureReason::Unknown), detail),
             data.isTrue("collateral") ? QLatin1String("; collateral, counts toward no limit")
                                       : QLatin1String());
}

QString scheduled(const FieldReader &data)
{
    const QString most = data.text("maxAttempts");
    return QStringLiteral("restart %1%2 in %3%4")
        .arg(data.text("attemptNumber"), most.isEmpty() ? most : QLatin1String(" of ") + most,
             durationText(data, "delayMs"),
             data.isTrue("trial") ? QLatin1String(" (trial)") : QLatin1String());
}

QString declined(const FieldReader &data)
{
    const QString cause = data.text("cause");
    if (cause == QLatin1String("permanentFailure"))
        return QStringLiteral("not restarted: permanent failure");
    if (cause == QLatin1String("evaluator"))
        return QStringLiteral("not restarted: its evaluator refused");
    return cause == QLatin1String("license")
        ? QStringLiteral("not restarted: the license tier permits no restarts")
        : QStringLiteral("not restarted: its policy is none");
}

QString restartFailed(const FieldReader &data)
{
    QString text = QStringLiteral("restart %1 failed (%2)")
                       .arg(data.text("attemptNumber"), data.text("failureReason"));
    // The next event has the delay of the next attempt.
    if (!data.isTrue("willRetry"))
        text += QLatin1String("; no further attempt");
    return text;
}

QString breakerChanged(const FieldReader &data)
{
    const bool isRestored = data.isTrue("restored");
    const bool isIsolated = data.text("newState") == toText(CircuitBreakerState::Open)
        && !data.duration("resetDelayMs");
    // Only a shared one has a name.
    const QString name = data.text("breaker");
    QString text = (name.isEmpty() ? QStringLiteral("circuit breaker ")
                                   : QStringLiteral("shared breaker %1 ").arg(name))
        + (isIsolated ? QStringLiteral("isolated") : data.text("newState"));
    if (!isRestored)
        text += QStringLiteral(" (was %1)").arg(data.text("oldState"));
    if (data.duration("resetDelayMs"))
        text += QLatin1String(", trial in ") + durationText(data, "resetDelayMs");
    if (isRestored)
        text += QLatin1String(", restored from the previous host");
    return text;
}

QString downgraded(const FieldReader &data)
{
    const auto type = [&data](const char *key) {
        return valueOf(restartPolicyTypes, data.text(key)).value_or(RestartPolicyType::None);
    };
    return downgradeText(data.text("tier"), type("requestedType"), type("effectiveType"));
}

QString healthChanged(const FieldReader &data)
{
    const QString state = data.text("newState");
    if (state == QLatin1String("Unhealthy")) {
        return QStringLiteral("unhealthy, consecutive probe failures: %1 (%2: %3)")
            .arg(data.text("consecutiveMisses"), data.text("probe"), data.text("detail"));
    }
    if (state == QLatin1String("Healthy"))
        return QStringLiteral("healthy (%1)").arg(data.text("probe"));
    return QStringLiteral("health unknown after a start");
}

// The operation of a request of the control protocol.
QString operationText(const QString &request, const QString &sharedBreaker)
{
    struct Operation
    {
        QLatin1String request;
        QLatin1String text;
    };
    constexpr std::array operations = {
        Operation{QLatin1String("agents.start"), QLatin1String("start")},
        Operation{QLatin1String("agents.stop"), QLatin1String("stop")},
        Operation{QLatin1String("agents.restart"), QLatin1String("restart")},
        Operation{QLatin1String("agents.retry"), QLatin1String("retry")},
        Operation{QLatin1String("breaker.reset"), QLatin1String("reset of ")},
        Operation{QLatin1String("breaker.isolate"), QLatin1String("isolation of ")},
        Operation{QLatin1String("breaker.release"), QLatin1String("release of ")},
        Operation{QLatin1String("host.stop"), QLatin1String("stop of the host")},
        Operation{QLatin1String("config.reload"), QLatin1String("reload of the configuration")},
    };
    const auto *const found =
        std::find_if(operations.begin(), operations.end(),
                     [&request](const Operation &each) { return request == each.request; });
    if (found == operations.end()) // of a newer version
        return request;
    if (!found->text.endsWith(u' '))
        return found->text;
    return found->text
        + (sharedBreaker.isEmpty() ? QStringLiteral("the circuit breaker")
                                   : QLatin1String("shared breaker ") + sharedBreaker);
}

QString operatorAction(const FieldReader &data)
{
    const QString program = data.text("program");
    const QString reason = data.text("reason");
    return QStringLiteral("%1 requested by user %2, process %3%4%5")
        .arg(operationText(data.text("request"), data.text("shared")), data.text("uid"),
             data.text("clientPid"),
             program.isEmpty() ? program : QStringLiteral(" (%1)").arg(program),
             reason.isEmpty() ? reason : QLatin1String(": ") + reason);
}

QString toolCalled(const FieldReader &data)
{
    const QString failure = data.text("failure");
    const QString message = data.text("message");
    QString text =
        QStringLiteral("call of %1: %2")
            .arg(data.text("tool"), failure.isEmpty() ? QStringLiteral("answered") : failure);
    if (!message.isEmpty())
        text += QLatin1String(" (") + message.simplified() + u')';
    text += QLatin1String(" after ") + durationText(data, "durationMs");
    if (const qint64 retries = data.number("retries").value_or(0); retries > 0)
        text += QStringLiteral(", retries: %1").arg(retries);
    if (const QString end = data.text("end"); end != toText(ToolCallEnd::Answered))
        text += QLatin1String(", ended by ") + end;
    if (data.isTrue("breakerOpened"))
        text += QLatin1String("; circuit breaker opened");
    return text;
}

QString gap(const FieldReader &data)
{
    QString others;
    if (const qint64 calls = data.number("calls").value_or(0))
        others += QStringLiteral(", %1 tool calls").arg(calls);
    if (const qint64 commands = data.number("commands").value_or(0))
        others += QStringLiteral(", %1 commands").arg(commands);
    return QStringLiteral("gap: %1 events%2 and %3 decisions dropped")
        .arg(data.text("events"), others, data.text("decisions"));
}

using Describe = QString (*)(const FieldReader &);

struct Describer
{
    QLatin1String type{};
    Describe words = nullptr;
};

constexpr std::array describers = {
    Describer{QLatin1String("agent.started"),
              [](const FieldReader &data) -> QString {
                  return QStringLiteral("start %1, process %2")
                      .arg(data.text("generation"), data.text("pid"));
              }},
    Describer{QLatin1String("agent.ready"),
              [](const FieldReader &data) -> QString {
                  return QStringLiteral("ready after ") + durationText(data, "durationMs");
              }},
    Describer{QLatin1String("agent.stable"),
              [](const FieldReader &) -> QString {
                  return QStringLiteral("stable: attempts and failures reset");
              }},
    Describer{QLatin1String("agent.stopped"),
              [](const FieldReader &data) -> QString {
                  const QString reason = data.text("reason");
                  return QStringLiteral("stopped")
                      + (reason.isEmpty() ? reason : QLatin1String(": ") + reason);
              }},
    Describer{QLatin1String("agent.failed"), failed},
    Describer{QLatin1String("restart.requested"),
              [](const FieldReader &data) -> QString {
                  return QStringLiteral("restart requested (%1)").arg(data.text("reason"));
              }},
    Describer{QLatin1String("restart.scheduled"), scheduled},
    Describer{QLatin1String("restart.started"),
              [](const FieldReader &data) -> QString {
                  return QStringLiteral("restart %1 started").arg(data.text("attemptNumber"));
              }},
    Describer{QLatin1String("restart.succeeded"),
              [](const FieldReader &data) -> QString {
                  return QStringLiteral("restart %1 succeeded after %2")
                      .arg(data.text("attemptNumber"), durationText(data, "durationMs"));
              }},
    Describer{QLatin1String("restart.failed"), restartFailed},
    Describer{QLatin1String("restart.exhausted"),
              [](const FieldReader &data) -> QString {
                  const qint64 restarts = data.number("totalAttempts").value_or(0);
                  if (restarts == 0)
                      return QStringLiteral("given up without a restart");
                  return QStringLiteral("given up after %1 in %2")
                      .arg(counted(restarts, "restart", "restarts"),
                           durationText(data, "totalDurationMs"));
              }},
    Describer{QLatin1String("restart.cancelled"),
              [](const FieldReader &) -> QString { return QStringLiteral("restart canceled"); }},
    Describer{QLatin1String("circuit.changed"), breakerChanged},
    Describer{QLatin1String("policy.downgraded"), downgraded},
    Describer{QLatin1String("health.changed"), healthChanged},
    Describer{QLatin1String("agent.output"),
              [](const FieldReader &data) -> QString {
                  return data.text("stream") + QLatin1String(": ") + data.text("line");
              }},
    Describer{QLatin1String("operator.action"), operatorAction},
    Describer{QLatin1String("configuration.applied"),
              [](const FieldReader &data) -> QString {
                  return QStringLiteral("configuration applied: ") + data.text("change");
              }},
    Describer{QLatin1String("start.held"),
              [](const FieldReader &data) -> QString {
                  return QLatin1String("waits for ")
                      + data.texts("causes").join(QLatin1String("; "));
              }},
    Describer{QLatin1String("group.restarting"),
              [](const FieldReader &data) -> QString {
                  return QStringLiteral("group %1 restarts %2")
                      .arg(data.text("group"), data.texts("members").join(QLatin1String(", ")));
              }},
    Describer{QLatin1String("group.exhausted"),
              [](const FieldReader &data) -> QString {
                  return QStringLiteral("group %1 has given up").arg(data.text("group"));
              }},
    Describer{QLatin1String("sharedbreaker.changed"), breakerChanged},
    Describer{QLatin1String("restart.declined"), declined},
    Describer{toolCallFinishedType, toolCalled},
    Describer{QLatin1String("events.gap"), gap},
};

const Describer *describerOf(const auto &type)
{
    const auto *const found =
        std::find_if(describers.begin(), describers.end(),
                     [&type](const Describer &each) { return type == each.type; });
    return found == describers.end() ? nullptr : found;
}

} // namespace

QString eventText(const LifecycleEvent &event)
{
    return describerOf(eventTypeNames[event.index()])->words(EventReader(event));
}

QString eventText(const QString &type, const QByteArray &json)
{
    QJsonObject data = QJsonDocument::fromJson(json).object();
    if (const Describer *const known = describerOf(type))
        return known->words(JsonReader(data));
    // An event of a newer version: its data without the keys that all events have.
    for (const char *common : {"instanceId", "agent", "seq", "monoNs"})
        data.remove(QLatin1String(common));
    return type + u' ' + QString::fromUtf8(QJsonDocument(data).toJson(QJsonDocument::Compact));
}

} // namespace Rekindle

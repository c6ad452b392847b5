// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/evaluator/restartevaluator.h>

#include <QDateTime>
#include <QObject>
#include <QTimeZone>

#include <stdexcept>

namespace {

using namespace Rekindle;
using std::chrono::milliseconds;

// The text is valid, because the host has validated it against the schema.
QTime timeOf(const QJsonValue &text)
{
    return QTime::fromString(text.toString(), QStringLiteral("hh:mm"));
}

QTimeZone zoneOf(const QJsonObject &parameters)
{
    const QByteArray name = parameters[QLatin1String("timeZone")].toString().toUtf8();
    const QTimeZone zone = name.isEmpty() ? QTimeZone::systemTimeZone() : QTimeZone(name);
    if (!zone.isValid())
        throw std::invalid_argument("unknown time zone " + name.toStdString());
    return zone;
}

/// Delays restarts until the end of a daily window of local time. If `to` is before `from`, the
/// window ends on the next day. Equal times are rejected.
class QuietHours final : public RestartEvaluator
{
public:
    explicit QuietHours(const QJsonObject &parameters)
        : m_from(timeOf(parameters[QLatin1String("from")]))
        , m_to(timeOf(parameters[QLatin1String("to")]))
        , m_zone(zoneOf(parameters))
    {
        if (m_from == m_to)
            throw std::invalid_argument("from and to are the same time");
    }

    QFuture<EvaluatorAnswer> evaluate(const EvaluatorQuestion &question) override
    {
        const milliseconds failedAt = question.failedAtUtc;
        const milliseconds planned =
            failedAt + std::chrono::ceil<milliseconds>(question.builtInDelay);
        const QDateTime end = endOfQuietAt(planned);
        if (!end.isValid())
            return readyAnswer(EvaluatorAnswer::accept());
        return readyAnswer(
            EvaluatorAnswer::delayBy(milliseconds(end.toMSecsSinceEpoch()) - failedAt,
                                     QStringLiteral("quiet until %1 %2")
                                         .arg(end.toString(QStringLiteral("yyyy-MM-dd hh:mm")),
                                              end.timeZoneAbbreviation())));
    }

private:
    /// Returns the end of the window that contains this time; invalid if there is none. Compares
    /// UTC times, because the clocks may change within a window.
    [[nodiscard]] QDateTime endOfQuietAt(milliseconds planned) const
    {
        const qint64 now = planned.count();
        const QDate today = QDateTime::fromMSecsSinceEpoch(now, m_zone).date();
        // The window may have begun yesterday.
        for (const QDate &day : {today.addDays(-1), today}) {
            const qint64 begin = moment(day, m_from, false);
            const qint64 end = moment(m_to < m_from ? day.addDays(1) : day, m_to, true);
            if (begin <= now && now < end)
                return QDateTime::fromMSecsSinceEpoch(end, m_zone);
        }
        return {};
    }

    /// Returns the UTC time of a local time. If the clock is set back, the local time occurs twice,
    /// and `last` selects one. If it is set forward, a skipped local time is shifted by the change.
    /// Done here because versions of Qt differ.
    [[nodiscard]] qint64 moment(QDate day, QTime time, bool last) const
    {
        const QDateTime shown(day, time, QTimeZone::utc());
        constexpr qint64 perSecond = 1000;
        const auto with = [&](int offset) {
            return shown.toMSecsSinceEpoch() - offset * perSecond;
        };
        const auto isIt = [&](int offset) {
            return m_zone.offsetFromUtc(
                       QDateTime::fromMSecsSinceEpoch(with(offset), QTimeZone::utc()))
                == offset;
        };
        const int before = m_zone.offsetFromUtc(shown.addDays(-1));
        const int after = m_zone.offsetFromUtc(shown.addDays(1));
        const bool useAfter = isIt(after) && (last || !isIt(before));
        return with(useAfter ? after : before);
    }

    const QTime m_from;
    const QTime m_to;
    const QTimeZone m_zone;
};

} // namespace

class QuietHoursPlugin final : public QObject, public RestartEvaluatorPlugin
{
    Q_OBJECT
    Q_PLUGIN_METADATA(IID RekindleRestartEvaluator_iid FILE "quiet-hours.json")
    Q_INTERFACES(Rekindle::RestartEvaluatorPlugin)

public:
    std::unique_ptr<RestartEvaluator> create(const QJsonObject &parameters) override
    {
        return std::make_unique<QuietHours>(parameters);
    }
};

#include "quiethours.moc"

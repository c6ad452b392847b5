// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "eventrows_p.h"
#include "hostprocess_p.h"
#include "storeconnection_p.h"
#include "storedrow_p.h"
#include "storeschema_p.h"
#include "json/jsonscanner.h"
#include "json/jsonwriter.h"

#include <rekindle/policy/toolcallfinished.h>
#include <rekindle/telemetry/historyreader.h>

#include <algorithm>

namespace Rekindle {

namespace {

using namespace StoredRows;

constexpr int maxLimit = 1'000'000;

StoredRun runFrom(const QSqlQuery &query)
{
    using State = StoredRun::State;
    StoredRun run;
    run.run = query.value(0).toString();
    run.processId = query.value(1).toLongLong();
    run.begun = utc(query.value(2));
    const HostProcess process{run.processId, query.value(3).toString(), query.value(4).toString(),
                              query.value(5).toLongLong()};
    run.firstEvent = query.value(6).toLongLong();
    if (!query.value(7).isNull()) {
        run.ended = utc(query.value(7));
        run.state = State::Exited;
    } else if (const std::optional<bool> alive = process.isAlive(); run.firstEvent > 0 && alive) {
        run.state = *alive ? State::Running : State::Vanished;
    }
    return run;
}

constexpr char pageCondition[] = "id >= ? AND (id < ? OR run_id = ?) AND type <> 'tool.finished'"
                                 " ORDER BY id LIMIT ?";
constexpr qsizetype maxPageBytes = qsizetype{256} * 1024;

} // namespace

class HistoryReader::Private
{
public:
    explicit Private(const QString &path)
    {
        try {
            connection.emplace(path, StoreConnection::Mode::Read);
            StoreSchema::check(*connection);
        } catch (const StoreFault &fault) {
            connection.reset();
            error = fault.what;
        }
    }

    // Reads nothing if the store cannot be read.
    template<typename Read>
    void attempt(Read read)
    {
        if (!connection)
            return;
        error.clear();
        try {
            read(*connection);
        } catch (const StoreFault &fault) {
            error = fault.what;
        }
    }

    // Returns the newest rows, oldest first. `select` must contain a WHERE clause.
    template<typename Row>
    QList<Row> rows(const QString &select, const QString &agents, const QString &run,
                    const QString &type, const HistoryQuery &filter, Row (*from)(const QSqlQuery &))
    {
        QString statement = select;
        QVariantList values;
        const auto add = [&](bool applies, const QString &condition, const QVariant &value) {
            if (!applies)
                return;
            statement += condition;
            values.append(value);
        };
        add(!filter.agent.isEmpty(), agents, filter.agent);
        add(!type.isEmpty(), QStringLiteral(" AND type = ?"), type);
        if (filter.since)
            add(true, QStringLiteral(" AND utc_ms >= ?"),
                qint64{filter.since->time_since_epoch().count()});
        add(!filter.run.isEmpty(), run, filter.run);
        add(true, QStringLiteral(" ORDER BY 1 DESC LIMIT ?"),
            std::clamp(filter.limit, 1, maxLimit));
        QList<Row> found;
        attempt([&](StoreConnection &store) {
            QSqlQuery query = store.query(statement, values);
            while (StoreConnection::next(query))
                found.prepend(from(query));
        });
        return found;
    }

    QList<StoredDecision> decisions(const QString &kind, const HistoryQuery &filter)
    {
        return rows<StoredDecision>(selectDecisions + QStringLiteral("kind = '%1'").arg(kind),
                                    QStringLiteral(" AND agent = ?"),
                                    QStringLiteral(" AND run = ?"), {}, filter, decisionFrom);
    }

    std::optional<StoreConnection> connection;
    QString error;
};

HistoryReader::HistoryReader(const QString &path)
    : d(std::make_unique<Private>(path))
{
}

HistoryReader::~HistoryReader() = default;

QString HistoryReader::error() const { return d->error; }

QList<StoredEvent> HistoryReader::events(const HistoryQuery &query)
{
    return d->rows<StoredEvent>(
        selectEvents
            + (query.type.isEmpty() ? QStringLiteral("type <> '%1'").arg(toolCallFinishedType)
                                    : QStringLiteral("true")),
        QStringLiteral(" AND agent IN (?, '')"),
        QStringLiteral(" AND run_id = (SELECT id FROM runs WHERE run = ?)"), query.type, query,
        eventFrom);
}

std::optional<qint64> HistoryReader::rowAfter(const QString &run, quint64 sequence)
{
    std::optional<qint64> row;
    d->attempt([&](StoreConnection &store) {
        store.transaction(QStringLiteral("BEGIN"),
                          [&] { row = EventRows(store).rowAfter(run, sequence); });
    });
    return row;
}

StoredEventPage HistoryReader::eventsFrom(qint64 row, const QString &run, int limit)
{
    StoredEventPage page;
    d->attempt([&](StoreConnection &store) {
        store.transaction(QStringLiteral("BEGIN"), [&] {
            EventRows rows(store);
            const bool isReplaced = row > rows.last() + 1; // by a new store of the same name
            if (row > 0 && (isReplaced || row < rows.first()))
                page.removedRows = std::max<qint64>(1, rows.first() - row);
            const EventRows::Run own = rows.run(run).value_or(EventRows::Run{-1, rows.last() + 1});
            qsizetype bytes = 0;
            QSqlQuery query = store.query(selectEvents + QLatin1String(pageCondition),
                                          {isReplaced ? 0 : row, own.firstEvent, own.id, limit});
            while (bytes < maxPageBytes && StoreConnection::next(query)) {
                page.events.append(eventFrom(query));
                bytes += page.events.constLast().data.size();
                page.nextRow = page.events.constLast().row + 1;
            }
            page.isLast = page.events.size() < limit && bytes < maxPageBytes;
            if (page.isLast)
                page.nextRow = rows.last() + 1;
        });
    });
    return page;
}

QList<StoredDecision> HistoryReader::decisions(const HistoryQuery &query)
{
    return d->decisions(QStringLiteral("decision"), query);
}

QList<StoredDecision> HistoryReader::shadowDecisions(const HistoryQuery &query)
{
    return d->decisions(QStringLiteral("shadow"), query);
}

QList<StoredRun> HistoryReader::runs()
{
    QList<StoredRun> runs;
    d->attempt([&runs](StoreConnection &store) {
        // A store of version 1, which no host has converted yet, has no further columns.
        const bool isOld = store.value(QStringLiteral("PRAGMA user_version")).toInt() < 2;
        const QString furtherColumns = isOld
            ? QStringLiteral("'', '', 0, 0, NULL")
            : QStringLiteral("boot, pid_space, start_ticks, first_event, ended_ms");
        QSqlQuery query =
            store.query(QStringLiteral("SELECT run, pid, utc_ms, %1 FROM runs ORDER BY id")
                            .arg(furtherColumns));
        while (StoreConnection::next(query))
            runs.append(runFrom(query));
    });
    return runs;
}

QStringList HistoryReader::agents()
{
    QStringList names;
    d->attempt([&names](StoreConnection &store) {
        QSqlQuery query =
            store.query(QStringLiteral("SELECT agent FROM events WHERE agent <> '' UNION"
                                       " SELECT agent FROM audit WHERE agent <> '' ORDER BY 1"));
        while (StoreConnection::next(query))
            names.append(query.value(0).toString());
    });
    return names;
}

QByteArray StoredEvent::toCloudEvent() const
{
    return jsonObject([this](JsonWriter &json) {
        const bool isCall = type == toolCallFinishedType;
        json.member("specversion", "1.0");
        // Unique within a run.
        json.member("id", QStringLiteral("%1%2").arg(isCall ? u"call-" : u"").arg(sequence));
        json.member("source", QStringLiteral("urn:uuid:%1").arg(run));
        json.member("type", QStringLiteral("rekindle.%1.v1").arg(type));
        if (!agent.isEmpty())
            json.member("subject", QStringLiteral("agent/%1").arg(agent));
        json.member("time", toRfc3339(time));
        json.member("datacontenttype", "application/json");
        json.key("data");
        JsonScanner scanner(data);
        const bool isLine = scanner.skipValue() && scanner.isAtEnd() && !data.contains('\n');
        isLine ? json.json(data) : json.null();
    });
}

} // namespace Rekindle

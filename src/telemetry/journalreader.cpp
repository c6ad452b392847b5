// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "inputrow_p.h"
#include "storeconnection_p.h"
#include "storedrow_p.h"
#include "storeschema_p.h"

#include <rekindle/telemetry/journalreader.h>

namespace Rekindle {

namespace {

InputRow inputRowFrom(const QSqlQuery &query)
{
    const auto text = [&query](int column) { return query.value(column).toString().toUtf8(); };
    return {.number = query.value(0).toLongLong(),
            .monotonicNs = query.value(1).toLongLong(),
            .instance = text(2),
            .agent = text(3),
            .kind = text(4),
            .generation = query.value(5).toLongLong(),
            .draw = query.value(6).toDouble(),
            .data = text(7)};
}

} // namespace

class JournalReader::Private
{
public:
    Private(const QString &path, const QString &run)
    {
        attempt([&] {
            connection.emplace(path, StoreConnection::Mode::Read);
            StoreSchema::check(*connection);
            open(run);
        });
    }

    void attempt(const std::function<void()> &work)
    {
        try {
            work();
        } catch (const StoreFault &fault) {
            error = fault.what;
        }
    }

    void open(const QString &run)
    {
        connection->execute(QStringLiteral("BEGIN")); // all rows belong to one time
        if (connection->value(QStringLiteral("PRAGMA user_version")).toInt() < 3) {
            error = QStringLiteral("written by an older version, which recorded no inputs");
            return;
        }
        QSqlQuery query = connection->query(
            QStringLiteral("SELECT id, version, first_event > 0 AND first_event >= (SELECT"
                           " coalesce(min(id), 0) FROM events), first_audit > (SELECT"
                           " removed_through FROM audit_head) FROM runs WHERE run = ?"),
            {run});
        if (!StoreConnection::next(query)) {
            error = QStringLiteral("no run has the id %1").arg(run);
            return;
        }
        const qint64 id = query.value(0).toLongLong();
        version = query.value(1).toString();
        hasAllEvents = query.value(2).toBool();
        hasAllDecisions = query.value(3).toBool();
        findOldest(id);
        inputs = connection->query(
            QStringLiteral("SELECT n, mono_ns, instance, %1, kind, generation, draw,"
                           " %2, sum, id FROM inputs WHERE run_id = ? ORDER BY id")
                .arg(StoredRows::bounded("agent"), StoredRows::bounded("data")),
            {id});
        events = connection->query(
            StoredRows::selectEvents
                + QLatin1String("run_id = ? AND type <> 'tool.finished' ORDER BY id"),
            {id});
        decisions =
            connection->query(StoredRows::selectDecisions
                                  + QLatin1String("kind = 'decision' AND run = ? ORDER BY id"),
                              {run});
    }

    // Retention removes the oldest rows of all runs, and never the newest one. A run has lost none
    // if an input of an earlier run is left.
    void findOldest(qint64 run)
    {
        QSqlQuery query =
            connection->query(QStringLiteral("SELECT id, run_id FROM inputs ORDER BY id LIMIT 1"));
        if (!StoreConnection::next(query))
            return;
        const qint64 first = query.value(0).toLongLong();
        if (first != 1 && query.value(1).toLongLong() >= run)
            oldest = first;
    }

    // Why the inputs before this row are missing.
    [[nodiscard]] QString missing(const InputRow &row, qint64 id) const
    {
        const QString range =
            QStringLiteral("inputs from %1 to %2").arg(number + 1).arg(row.number - 1);
        if (number == 0 && row.number > 1 && id == oldest)
            return QStringLiteral("the beginning of the run was removed by retention (%1); a run "
                                  "can be replayed only from its beginning")
                .arg(range);
        return QStringLiteral("%1: not recorded, because the queue of the host was full")
            .arg(range);
    }

    [[nodiscard]] std::optional<JournalEntry> entryFrom(const QSqlQuery &query)
    {
        const InputRow row = inputRowFrom(query);
        const qint64 expected = number + 1;
        if (row.sum() != query.value(8).toLongLong()) {
            error = QStringLiteral("input %1: the row was changed").arg(expected);
            return {};
        }
        if (row.number != expected) {
            error = missing(row, query.value(9).toLongLong());
            return {};
        }
        number = row.number;
        JournalEntry entry;
        if (const QString fault = row.read(entry); !fault.isEmpty()) {
            error = QStringLiteral("input %1: %2").arg(number).arg(fault);
            return {};
        }
        return entry;
    }

    template<typename Row, typename Read>
    [[nodiscard]] std::optional<Row> next(std::optional<QSqlQuery> &rows, Read read)
    {
        std::optional<Row> row;
        if (!rows || !error.isEmpty())
            return row;
        attempt([&] {
            if (StoreConnection::next(*rows))
                row = read(*rows);
        });
        return row;
    }

    [[nodiscard]] std::optional<JournalEntry> nextInput()
    {
        auto entry =
            next<JournalEntry>(inputs, [this](const QSqlQuery &query) { return entryFrom(query); });
        if (!entry && error.isEmpty() && number == 0 && oldest > 0)
            error =
                QStringLiteral("it has no inputs: they were removed by retention, or not recorded");
        return entry;
    }

    std::optional<StoreConnection> connection;
    // Destroyed before the connection.
    std::optional<QSqlQuery> inputs;
    std::optional<QSqlQuery> events;
    std::optional<QSqlQuery> decisions;
    qint64 number = 0; ///< of the latest input
    qint64 oldest = 0; ///< row that is left; 0 if retention has removed none of the run
    bool hasAllEvents = false;
    bool hasAllDecisions = false;
    QString version;
    QString error;
};

JournalReader::JournalReader(const QString &path, const QString &run)
    : d(std::make_unique<Private>(path, run))
{
}

JournalReader::~JournalReader() = default;

QString JournalReader::error() const { return d->error; }
QString JournalReader::version() const { return d->version; }
bool JournalReader::hasAllEvents() const { return d->hasAllEvents; }
bool JournalReader::hasAllDecisions() const { return d->hasAllDecisions; }

std::optional<JournalEntry> JournalReader::nextInput() { return d->nextInput(); }

std::optional<StoredEvent> JournalReader::nextEvent()
{
    return d->next<StoredEvent>(d->events, StoredRows::eventFrom);
}

std::optional<StoredDecision> JournalReader::nextDecision()
{
    return d->next<StoredDecision>(d->decisions, StoredRows::decisionFrom);
}

} // namespace Rekindle

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "inputrow_p.h"
#include "storeconnection_p.h"
#include "storedrow_p.h"
#include "storeschema_p.h"

#include <rekindle/telemetry/journalreader.h>

namespace Rekindle {

namespace {

/// The rows of one statement.
class Cursor
{
public:
    Cursor(const StoreConnection &store, const QString &statement, const QVariantList &values)
        : m_query(store.database())
    {
        m_query.setForwardOnly(true);
        if (!m_query.prepare(statement))
            throw toFault(m_query.lastError());
        for (const QVariant &value : values)
            m_query.addBindValue(value);
        if (!m_query.exec())
            throw toFault(m_query.lastError());
    }

    /// Returns null at the end.
    [[nodiscard]] const QSqlQuery *next()
    {
        if (m_query.next())
            return &m_query;
        if (m_query.lastError().isValid())
            throw toFault(m_query.lastError());
        return nullptr;
    }

private:
    QSqlQuery m_query;
};

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
        qint64 id = 0;
        connection->execute(
            QStringLiteral("SELECT id, version, first_event > 0 AND first_event >= (SELECT"
                           " coalesce(min(id), 0) FROM events), first_audit > (SELECT"
                           " removed_through FROM audit_head) FROM runs WHERE run = ?"),
            [&](const QSqlQuery &query) {
                id = query.value(0).toLongLong();
                version = query.value(1).toString();
                hasAllEvents = query.value(2).toBool();
                hasAllDecisions = query.value(3).toBool();
                return false;
            },
            {run});
        if (id == 0) {
            error = QStringLiteral("no run has the id %1").arg(run);
            return;
        }
        findOldest(id);
        inputs.emplace(*connection,
                       QStringLiteral("SELECT n, mono_ns, instance, %1, kind, generation, draw,"
                                      " %2, sum, id FROM inputs WHERE run_id = ? ORDER BY id")
                           .arg(StoredRows::bounded("agent"), StoredRows::bounded("data")),
                       QVariantList{id});
        events.emplace(*connection,
                       StoredRows::selectEvents
                           + QLatin1String("run_id = ? AND type <> 'tool.finished' ORDER BY id"),
                       QVariantList{id});
        decisions.emplace(*connection,
                          StoredRows::selectDecisions
                              + QLatin1String("kind = 'decision' AND run = ? ORDER BY id"),
                          QVariantList{run});
    }

    // Retention removes the oldest rows of all runs, and never the newest one. A run has lost none
    // if an input of an earlier run is left.
    void findOldest(qint64 run)
    {
        connection->execute(QStringLiteral("SELECT id, run_id FROM inputs ORDER BY id LIMIT 1"),
                            [&](const QSqlQuery &query) {
                                const bool isFirst = query.value(0).toLongLong() == 1;
                                if (!isFirst && query.value(1).toLongLong() >= run)
                                    oldest = query.value(0).toLongLong();
                                return false;
                            });
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
    [[nodiscard]] std::optional<Row> next(std::optional<Cursor> &cursor, Read read)
    {
        std::optional<Row> row;
        if (!cursor || !error.isEmpty())
            return row;
        attempt([&] {
            if (const QSqlQuery *const query = cursor->next())
                row = read(*query);
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
    std::optional<Cursor> inputs;
    std::optional<Cursor> events;
    std::optional<Cursor> decisions;
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

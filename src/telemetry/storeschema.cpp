// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "storeschema_p.h"

#include <QThread>

#include <array>
#include <span>

namespace Rekindle::StoreSchema {

namespace {

constexpr int applicationId = 0x524b4e44; // "RKND"

// Rows are ordered by their ids, which only increase, because the wall clock may change. Times are
// milliseconds since 1970 in UTC. Sequence numbers start at 1 in each run of a host.
const char *const versionOne[] = {
    "CREATE TABLE runs (id INTEGER PRIMARY KEY, run TEXT NOT NULL UNIQUE, pid INTEGER NOT NULL,"
    " utc_ms INTEGER NOT NULL) STRICT",

    "CREATE TABLE events (id INTEGER PRIMARY KEY, run_id INTEGER NOT NULL, seq INTEGER NOT NULL,"
    " type TEXT NOT NULL, instance TEXT NOT NULL, agent TEXT NOT NULL, mono_ns INTEGER NOT NULL,"
    " utc_ms INTEGER NOT NULL, data TEXT NOT NULL) STRICT",
    "CREATE INDEX events_of_agent ON events (agent)",

    "CREATE TABLE audit (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, run TEXT NOT NULL,"
    " mono_ns INTEGER NOT NULL, utc_ms INTEGER NOT NULL, instance TEXT NOT NULL,"
    " agent TEXT NOT NULL, rule TEXT NOT NULL, data TEXT NOT NULL, prev BLOB NOT NULL,"
    " hash BLOB NOT NULL) STRICT",
    "CREATE INDEX audit_of_agent ON audit (agent)",
    "CREATE TABLE audit_head (one INTEGER PRIMARY KEY CHECK (one = 1), last_id INTEGER NOT NULL,"
    " hash BLOB NOT NULL, removed_through INTEGER NOT NULL) STRICT",
    "INSERT INTO audit_head VALUES (1, 0, zeroblob(32), 0)",

    // The triggers protect against mistakes. The hash chain reveals intentional changes.
    "CREATE TRIGGER audit_in_order BEFORE INSERT ON audit"
    " WHEN NEW.id <> (SELECT last_id + 1 FROM audit_head)"
    " BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END",
    "CREATE TRIGGER audit_advance AFTER INSERT ON audit"
    " BEGIN UPDATE audit_head SET last_id = NEW.id, hash = NEW.hash; END",
    "CREATE TRIGGER audit_unchanged BEFORE UPDATE ON audit"
    " BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END",
    "CREATE TRIGGER audit_kept BEFORE DELETE ON audit"
    " WHEN OLD.id > (SELECT removed_through FROM audit_head)"
    " BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END",
    "CREATE TRIGGER audit_head_kept BEFORE DELETE ON audit_head"
    " BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END",
};

// Whether a host is running, its first event and its orderly exit.
const char *const versionTwo[] = {
    "ALTER TABLE runs ADD COLUMN boot TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE runs ADD COLUMN pid_space TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE runs ADD COLUMN start_ticks INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE runs ADD COLUMN first_event INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE runs ADD COLUMN ended_ms INTEGER",
};

// The inputs of the state table, from which all decisions of a run can be made again.
const char *const versionThree[] = {
    "ALTER TABLE runs ADD COLUMN version TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE runs ADD COLUMN first_audit INTEGER NOT NULL DEFAULT 0",
    "CREATE TABLE inputs (id INTEGER PRIMARY KEY, run_id INTEGER NOT NULL, n INTEGER NOT NULL,"
    " mono_ns INTEGER NOT NULL, utc_ms INTEGER NOT NULL, instance TEXT NOT NULL,"
    " agent TEXT NOT NULL, kind TEXT NOT NULL, generation INTEGER NOT NULL, draw REAL NOT NULL,"
    " data TEXT NOT NULL, sum INTEGER NOT NULL) STRICT",
};

// Step i converts version i to version i + 1, when a store is opened for writing.
using Step = std::span<const char *const>;
constexpr std::array steps = {Step(versionOne), Step(versionTwo), Step(versionThree)};

// A reader waits up to a second for a host that is creating the tables.
constexpr int creationChecks = 50;
constexpr int creationCheckMs = 20;

// The version that this program writes, stored in PRAGMA user_version.
constexpr int currentVersion = static_cast<int>(steps.size());

struct Marks
{
    int application = 0;
    int version = 0;
    bool isEmpty = false;
};

Marks marksOf(StoreConnection &connection)
{
    const auto number = [&](const char *statement) {
        return connection.value(QString::fromLatin1(statement)).toInt();
    };
    return {number("PRAGMA application_id"), number("PRAGMA user_version"),
            number("SELECT count(*) FROM sqlite_schema") == 0};
}

// Reads them in one transaction, because another host may be creating the tables.
Marks consistentMarksOf(StoreConnection &connection)
{
    Marks marks;
    connection.transaction(QStringLiteral("BEGIN"), [&] { marks = marksOf(connection); });
    return marks;
}

void checkMarks(const Marks &marks)
{
    using Kind = StoreFault::Kind;
    if (marks.application != applicationId)
        throw StoreFault{Kind::Refused, QStringLiteral("the database belongs to another program")};
    if (marks.version > currentVersion) {
        throw StoreFault{
            Kind::Refused,
            QStringLiteral("written by a newer version (format %1; this version supports %2)")
                .arg(marks.version)
                .arg(currentVersion)};
    }
}

// Two hosts may open an empty file at the same time, so the marks are read again under the lock.
void upgrade(StoreConnection &connection)
{
    connection.transaction(QStringLiteral("BEGIN IMMEDIATE"), [&] {
        const Marks marks = marksOf(connection);
        if (!marks.isEmpty)
            checkMarks(marks);
        for (auto i = static_cast<std::size_t>(marks.version); i < steps.size(); ++i) {
            for (const char *statement : steps[i])
                connection.execute(QString::fromLatin1(statement));
        }
        connection.execute(QStringLiteral("PRAGMA user_version = %1").arg(currentVersion));
    });
}

// In a file from another source, a view or a generated column can compute an endless result.
void refuseComputedRows(StoreConnection &connection)
{
    const QVariant computed = connection.value(
        QStringLiteral("SELECT each.type || ' ' || each.name FROM sqlite_schema AS each"
                       " LEFT JOIN pragma_table_xinfo(each.name) AS part"
                       " WHERE each.type = 'view' OR part.hidden > 0 LIMIT 1"));
    if (!computed.isNull())
        throw StoreFault{StoreFault::Kind::Refused,
                         QStringLiteral("expected tables without computed values, found the %1")
                             .arg(computed.toString().left(100))};
}

void checkTables(StoreConnection &connection)
{
    refuseComputedRows(connection);
    const QVariant tables = connection.value(
        QStringLiteral("SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND"
                       " name IN ('runs', 'events', 'audit', 'audit_head')"));
    if (tables.toInt() != 4)
        throw StoreFault{StoreFault::Kind::Damaged, QStringLiteral("tables are missing")};
    static_cast<void>(readHead(connection));
}

} // namespace

void prepare(StoreConnection &connection)
{
    const Marks marks = consistentMarksOf(connection);
    if (!marks.isEmpty || marks.application != 0)
        checkMarks(marks);
    if (marks.isEmpty) {
        // Both values are written at once, before the write-ahead log is enabled. Therefore,
        // another host that starts at the same time recognizes the file as a store (WrittenFile).
        connection.transaction(QStringLiteral("BEGIN"), [&connection] {
            connection.execute(QStringLiteral("PRAGMA auto_vacuum = INCREMENTAL"));
            connection.execute(QStringLiteral("PRAGMA application_id = %1").arg(applicationId));
        });
    }
    // With WAL, SIGKILL loses no transaction. A power failure may lose the last ones.
    for (const char *pragma : {"PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL",
                               "PRAGMA journal_size_limit = 67108864"})
        connection.execute(QString::fromLatin1(pragma));
    if (marks.version < currentVersion)
        upgrade(connection);
    checkTables(connection);
}

void check(StoreConnection &connection)
{
    Marks marks = consistentMarksOf(connection);
    for (int i = 0; marks.isEmpty && i < creationChecks; ++i) {
        QThread::msleep(creationCheckMs);
        marks = consistentMarksOf(connection);
    }
    if (marks.isEmpty)
        throw StoreFault{StoreFault::Kind::Broken, QStringLiteral("the file is empty")};
    checkMarks(marks);
    checkTables(connection);
}

TrailHead readHead(StoreConnection &connection)
{
    QSqlQuery query =
        connection.query(QStringLiteral("SELECT last_id, hash, removed_through FROM audit_head"));
    if (!StoreConnection::next(query)) {
        throw StoreFault{StoreFault::Kind::Damaged,
                         QStringLiteral("the head of the audit trail is missing")};
    }
    return {query.value(0).toLongLong(), query.value(1).toByteArray(), query.value(2).toLongLong()};
}

} // namespace Rekindle::StoreSchema

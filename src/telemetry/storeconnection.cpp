// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "storeconnection_p.h"

#include "base/boundedfile_p.h"

#include <QFileInfo>
#include <QUrl>
#include <QUuid>

#include <cerrno>

namespace Rekindle {

namespace {

// SQLite's primary result codes.
enum SqliteCode {
    SqliteBusy = 5,
    SqliteLocked = 6,
    SqliteCorrupt = 11,
    SqliteTooBig = 18,
    SqliteConstraint = 19,
    SqliteNotADatabase = 26,
};
constexpr int primaryCode = 0xff;

// How long a statement waits for another writer, in milliseconds.
constexpr char busyTimeout[] = "QSQLITE_BUSY_TIMEOUT=250";

QString sentence(const QSqlError &error)
{
    const QString text = error.databaseText();
    return text.isEmpty() ? error.driverText() : text;
}

} // namespace

StoreFault toFault(const QSqlError &error)
{
    using Kind = StoreFault::Kind;
    switch (error.nativeErrorCode().toInt() & primaryCode) {
    case SqliteBusy:
    case SqliteLocked:
        return {Kind::Busy, QStringLiteral("the database is locked")};
    case SqliteCorrupt:
    case SqliteNotADatabase:
    case SqliteConstraint: // the existing rows were changed by another program
        return {Kind::Damaged, sentence(error)};
    case SqliteTooBig:
        return {Kind::TooBig, sentence(error)};
    default:
        return {Kind::Broken, sentence(error)};
    }
}

StoreConnection::StoreConnection(const QString &path, Mode mode)
    : m_name{QLatin1String("rekindle-") + QUuid::createUuid().toString(QUuid::WithoutBraces)}
{
    if (!QSqlDatabase::isDriverAvailable(QStringLiteral("QSQLITE"))) {
        throw StoreFault{
            StoreFault::Kind::Refused,
            QStringLiteral("cannot load Qt's SQLite driver (Debian: libqt6sql6-sqlite)")};
    }
    m_database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_name.text);
    QString options = QString::fromLatin1(busyTimeout);
    QString name = path;
    if (mode == Mode::Read && QFileInfo::exists(path + QLatin1String("-wal"))) {
        // A host has it open or has crashed; the log must remain.
        options += QLatin1String(";QSQLITE_OPEN_READONLY");
    } else {
        // Reading creates the files -wal and -shm. Only a connection that can write removes them.
        // In a folder that is not writable no host can write, so the file is read without them.
        const QFileInfo file(path);
        const bool isWritable = mode == Mode::Write || QFileInfo(file.absolutePath()).isWritable();
        options += QLatin1String(";QSQLITE_OPEN_URI");
        if (!isWritable)
            options += QLatin1String(";QSQLITE_OPEN_READONLY");
        // SQLite must not create the file, not even if it has just been removed.
        name = QString::fromLatin1(QUrl::fromLocalFile(file.absoluteFilePath()).toEncoded())
            + QLatin1String(isWritable ? "?mode=rw" : "?immutable=1");
    }
    m_database.setConnectOptions(options);
    m_database.setDatabaseName(name);
    if (!m_database.open()) {
        const StoreFault fault = toFault(m_database.lastError());
        // Without opening the file, which would release SQLite's locks when it is closed.
        const QFileInfo file(path);
        const bool isForbidden = file.exists() && !file.isReadable();
        throw StoreFault{fault.kind, isForbidden ? openErrorText(path, EACCES) : fault.what};
    }
    if (mode == Mode::Read)
        execute(QStringLiteral("PRAGMA query_only = 1"));
}

// Some pragmas do their work row by row.
void StoreConnection::execute(const QString &statement) const
{
    QSqlQuery rows = query(statement);
    while (next(rows)) {
    }
}

QSqlQuery StoreConnection::query(const QString &statement, const QVariantList &values) const
{
    QSqlQuery rows(m_database);
    rows.setForwardOnly(true);
    if (!rows.prepare(statement))
        throw toFault(rows.lastError());
    for (const QVariant &value : values)
        rows.addBindValue(value);
    if (!rows.exec())
        throw toFault(rows.lastError());
    return rows;
}

bool StoreConnection::next(QSqlQuery &query)
{
    if (query.next())
        return true;
    if (query.lastError().isValid())
        throw toFault(query.lastError());
    return false;
}

void StoreConnection::transaction(const QString &begin, const std::function<void()> &work) const
{
    execute(begin);
    try {
        work();
        execute(QStringLiteral("COMMIT"));
    } catch (const StoreFault &) {
        QSqlQuery(m_database).exec(QStringLiteral("ROLLBACK"));
        throw;
    }
}

QVariant StoreConnection::value(const QString &statement) const
{
    QSqlQuery rows = query(statement);
    return next(rows) ? rows.value(0) : QVariant();
}

} // namespace Rekindle

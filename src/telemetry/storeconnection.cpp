// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "storeconnection_p.h"

#include <QFileInfo>
#include <QUrl>
#include <QUuid>
#include <QVariant>

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
    QString text = error.databaseText();
    if (text.isEmpty())
        text = error.driverText();
    return text;
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
        return {Kind::Damaged, sentence(error)};
    case SqliteConstraint: // the existing rows were changed by another program
        return {Kind::Damaged, sentence(error)};
    case SqliteTooBig:
        return {Kind::TooBig, sentence(error)};
    default:
        return {Kind::Broken, sentence(error)};
    }
}

StoreConnection::StoreConnection(const QString &path, Mode mode)
    : m_path(path)
    , m_mode(mode)
    , m_name(QLatin1String("rekindle-") + QUuid::createUuid().toString(QUuid::WithoutBraces))
{
}

StoreConnection::~StoreConnection()
{
    if (!m_database.isValid())
        return;
    m_database.close();
    m_database = QSqlDatabase();
    QSqlDatabase::removeDatabase(m_name);
}

StoreFault StoreConnection::open()
{
    if (!QSqlDatabase::isDriverAvailable(QStringLiteral("QSQLITE"))) {
        return {StoreFault::Kind::Refused,
                QStringLiteral("Qt's SQLite driver is not installed (Debian: libqt6sql6-sqlite)")};
    }
    m_database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_name);
    QString options = QString::fromLatin1(busyTimeout);
    QString name = m_path;
    const bool hasLog = QFileInfo::exists(m_path + QLatin1String("-wal"));
    if (m_mode == Mode::Read && hasLog) {
        // A host has it open or has crashed; the log must remain.
        options += QLatin1String(";QSQLITE_OPEN_READONLY");
    } else if (m_mode == Mode::Read) {
        // Reading creates the files -wal and -shm. Only a connection that can write removes them.
        // In a folder that is not writable no host can write, so the file is read without them.
        const QFileInfo file(m_path);
        const bool isWritable = QFileInfo(file.absolutePath()).isWritable();
        options += QLatin1String(";QSQLITE_OPEN_URI");
        if (!isWritable)
            options += QLatin1String(";QSQLITE_OPEN_READONLY");
        name = QString::fromLatin1(QUrl::fromLocalFile(file.absoluteFilePath()).toEncoded())
            + QLatin1String(isWritable ? "?mode=rw" : "?immutable=1");
    }
    m_database.setConnectOptions(options);
    m_database.setDatabaseName(name);
    if (!m_database.open())
        return toFault(m_database.lastError());
    if (m_mode == Mode::Read)
        return execute(QStringLiteral("PRAGMA query_only = 1"));
    return {};
}

StoreFault StoreConnection::execute(const QString &statement)
{
    QSqlQuery query(m_database);
    if (!query.exec(statement))
        return toFault(query.lastError());
    while (query.next()) {
        // Some pragmas do their work row by row.
    }
    return query.lastError().isValid() ? toFault(query.lastError()) : StoreFault{};
}

QVariant StoreConnection::value(const QString &statement, StoreFault &fault)
{
    QSqlQuery query(m_database);
    query.setForwardOnly(true);
    if (!query.exec(statement)) {
        fault = toFault(query.lastError());
        return {};
    }
    if (query.next())
        return query.value(0);
    if (query.lastError().isValid())
        fault = toFault(query.lastError());
    return {};
}

} // namespace Rekindle

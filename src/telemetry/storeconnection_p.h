// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QString>
#include <QVariant>

#include <functional>

namespace Rekindle {

/// Why a statement failed, by the reaction that is required. Thrown by everything that uses a
/// StoreConnection.
struct StoreFault
{
    enum class Kind {
        Busy,    ///< another process has locked it; retry soon
        Broken,  ///< the disk is full, read-only, removed, ...; retry later
        Damaged, ///< the file is not an intact store
        Refused, ///< must not be written; do not retry
        TooBig,  ///< these rows can never be written
    };
    Kind kind;
    QString what;
};

[[nodiscard]] StoreFault toFault(const QSqlError &error);

/// A connection to a store's file. Use it in the thread that created it. All queries must be
/// destroyed before it.
class StoreConnection
{
public:
    enum class Mode { Write, Read };

    /// Opens the file. Only mode Write creates it.
    StoreConnection(const QString &path, Mode mode);
    Q_DISABLE_COPY_MOVE(StoreConnection)

    [[nodiscard]] const QSqlDatabase &database() const { return m_database; }

    void execute(const QString &statement) const;

    /// Executes a statement with these values for its placeholders. Call next() before the first
    /// row.
    [[nodiscard]] QSqlQuery query(const QString &statement, const QVariantList &values = {}) const;
    /// Moves to the next row. Returns false at the end.
    [[nodiscard]] static bool next(QSqlQuery &query);

    /// Executes `work` between `begin` and COMMIT, or ROLLBACK after a fault.
    void transaction(const QString &begin, const std::function<void()> &work) const;

    /// Returns the first column of the first row; invalid if there is no row.
    [[nodiscard]] QVariant value(const QString &statement) const;

private:
    /// Closes the connection of this name after m_database was destroyed.
    struct Name
    {
        ~Name() { QSqlDatabase::removeDatabase(text); }
        const QString text;
    };
    const Name m_name;
    QSqlDatabase m_database;
};

} // namespace Rekindle

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

/// Why a statement failed, by the reaction that is required.
struct StoreFault
{
    enum class Kind {
        None,
        Busy,    ///< another process has locked it; retry soon
        Broken,  ///< the disk is full, read-only, removed, ...; retry later
        Damaged, ///< the file is not an intact store
        Refused, ///< must not be written; do not retry
        TooBig,  ///< these rows can never be written
    };
    Kind kind = Kind::None;
    QString what{};

    [[nodiscard]] explicit operator bool() const { return kind != Kind::None; }
};

[[nodiscard]] StoreFault toFault(const QSqlError &error);

/// A connection to a store's file. Use it in the thread that created it. The destructor closes the
/// connection; all queries must be destroyed before.
class StoreConnection
{
public:
    enum class Mode { Write, Read };

    explicit StoreConnection(const QString &path, Mode mode);
    ~StoreConnection();
    Q_DISABLE_COPY_MOVE(StoreConnection)

    /// Opens the file. Only mode Write creates it.
    [[nodiscard]] StoreFault open();

    [[nodiscard]] QSqlDatabase &database() { return m_database; }

    /// Executes a statement with these values for its placeholders. Calls `row` for each row until
    /// it returns false.
    [[nodiscard]] StoreFault execute(const QString &statement,
                                     const std::function<bool(const QSqlQuery &)> &row = {},
                                     const QVariantList &values = {});

    /// Executes `work` between `begin` and COMMIT, or ROLLBACK after a fault.
    [[nodiscard]] StoreFault transaction(const QString &begin,
                                         const std::function<StoreFault()> &work);

    /// Returns the first column of the first row; invalid if there is no row.
    [[nodiscard]] QVariant value(const QString &statement, StoreFault &fault);

private:
    const QString m_path;
    const Mode m_mode;
    const QString m_name;
    QSqlDatabase m_database;
};

} // namespace Rekindle

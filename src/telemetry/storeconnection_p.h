// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QString>

#include <chrono>

namespace Rekindle {

/// What went wrong with a statement, by what is to be done about it.
struct StoreFault
{
    enum class Kind {
        None,
        Busy,    ///< somebody else has it; again soon
        Broken,  ///< the disk is full, read-only, gone, ...; again later
        Damaged, ///< the file is no sound store
        Refused, ///< not ours to write; never again
        TooBig,  ///< these rows can never be written
    };
    Kind kind = Kind::None;
    QString what{};

    [[nodiscard]] explicit operator bool() const { return kind != Kind::None; }
};

[[nodiscard]] StoreFault toFault(const QSqlError &error);

/// A connection to a store's file, of the thread that made it; closed with this object. Queries
/// must be gone before it.
class StoreConnection
{
public:
    enum class Mode { Write, Read };

    explicit StoreConnection(const QString &path, Mode mode);
    ~StoreConnection();
    Q_DISABLE_COPY_MOVE(StoreConnection)

    /// Opens it; a file that is not there is made in mode Write alone.
    [[nodiscard]] StoreFault open();

    [[nodiscard]] QSqlDatabase &database() { return m_database; }

    /// Executes a statement without results.
    [[nodiscard]] StoreFault execute(const QString &statement);

    /// The first column of the first row, invalid where there is none.
    [[nodiscard]] QVariant value(const QString &statement, StoreFault &fault);

private:
    const QString m_path;
    const Mode m_mode;
    const QString m_name;
    QSqlDatabase m_database;
};

} // namespace Rekindle

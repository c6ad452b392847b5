// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QCoreApplication>
#include <QStringList>

#include <optional>

namespace Rekindle {

/// The arguments of the program.
class ObserverOptions
{
    Q_DECLARE_TR_FUNCTIONS(Rekindle::ObserverOptions)

public:
    /// Reads the arguments. Prints the help, the version or an error, and returns the exit code, if
    /// the program must exit. Needs a QCoreApplication.
    [[nodiscard]] std::optional<int> parse(const QStringList &arguments);

    /// Empty: all hosts of this user.
    [[nodiscard]] const QStringList &hosts() const { return m_hosts; }
    /// Returns the file of --shoot; empty without this option.
    [[nodiscard]] const QString &picture() const { return m_picture; }

private:
    QStringList m_hosts;
    QString m_picture;
};

} // namespace Rekindle

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "childidentity_p.h"

#include <rekindle/process/processidentity.h>

#include <QByteArray>
#include <QMap>
#include <QString>

#include <optional>
#include <variant>
#include <vector>

namespace Rekindle {

/// The ids of a ProcessIdentity, looked up in the databases of this machine.
class Credentials
{
public:
    /// Why there are none. With `number`, an errno, the database could not be read.
    struct Error
    {
        ProcessIdentity::Fault fault;
        int number = 0;
    };

    [[nodiscard]] static std::variant<Credentials, Error> of(const ProcessIdentity &identity);

    /// Whether this process has the same user and group.
    [[nodiscard]] bool areOwn() const;

    /// nullopt if this process already has them and is not root. Refers to this.
    [[nodiscard]] std::optional<ChildIdentity> forChild() const;

    /// HOME, USER, LOGNAME and SHELL of the user, if its entry contains them.
    [[nodiscard]] const QMap<QString, std::optional<QString>> &variables() const
    {
        return m_variables;
    }

private:
    [[nodiscard]] std::optional<Error> findUser(const ProcessIdentity &identity);
    [[nodiscard]] std::optional<Error> findGroup(const QString &group);
    void findGroups();

    ChildIdentity m_ids; // without groups
    std::vector<gid_t> m_groups;
    QByteArray m_name; // of the user; empty: it has no entry
    bool m_changesUser = false;
    QMap<QString, std::optional<QString>> m_variables;
};

} // namespace Rekindle

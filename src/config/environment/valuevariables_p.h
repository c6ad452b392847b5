// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "json/jsonplace.h"

#include <rekindle/process/processdefinition.h>

#include <QDir>

#include <optional>

namespace Rekindle {

/// Reads strings and replaces the variables in them: `${env:NAME}`, `${NAME}`, `${NAME:-DEFAULT}`,
/// `${workspaceFolder}` and `${userHome}`. `$${` stands for the characters `${`.
class ValueVariables
{
public:
    using Environment = decltype(ProcessDefinition::environment);

    /// For entries in the format of editors: a variable that is not set is empty, with a warning.
    explicit ValueVariables(const QDir &workspace)
        : m_workspace(workspace)
    {
    }

    /// For agents: `environment` overrides variables of this process. A variable that is not set is
    /// a fault, and so are a missing `}`, a default that contains `${`, and a text in
    /// textNotEmpty() that variables make empty.
    ValueVariables(const QDir &workspace, const Environment &environment)
        : m_workspace(workspace)
        , m_environment(environment)
    {
    }

    /// Like the getters of JsonPlace.
    [[nodiscard]] std::optional<QString> text(const JsonPlace &place) const;
    [[nodiscard]] std::optional<QString> textNotEmpty(const JsonPlace &place) const;

private:
    [[nodiscard]] std::optional<QString> replaced(const JsonPlace &place,
                                                  const QString &text) const;
    [[nodiscard]] QString valueOf(const JsonPlace &place, const QString &variable) const;
    [[nodiscard]] std::optional<QString> lookUp(const QString &name) const;
    [[nodiscard]] QString existing(const JsonPlace &place, const QString &name) const;

    QDir m_workspace;
    std::optional<Environment> m_environment; ///< of an agent
};

} // namespace Rekindle

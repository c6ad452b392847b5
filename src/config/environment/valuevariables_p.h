// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "json/jsonplace.h"

#include <rekindle/process/processdefinition.h>

#include <QDir>

#include <optional>
#include <utility>

namespace Rekindle {

/// Reads strings and replaces the variables in them: `${env:NAME}`, `${NAME}`, `${NAME:-DEFAULT}`,
/// `${workspaceFolder}` and `${userHome}`. `$${` stands for the characters `${`.
class ValueVariables
{
public:
    using Environment = decltype(ProcessDefinition::environment);

    enum class Rules {
        /// A variable that is not set is a fault, and so are a missing `}`, a default that contains
        /// `${`, and a text in textNotEmpty() that variables make empty.
        Agent,
        /// For entries of MCP servers. If `${NAME}` is not set, its text is unchanged, because some
        /// servers replace variables themselves. `${env:NAME}` is empty. Both are warnings.
        Editor,
    };

    /// `environment` overrides variables of this process.
    ValueVariables(const QDir &workspace, Environment environment, Rules rules = Rules::Agent)
        : m_workspace(workspace)
        , m_environment(std::move(environment))
        , m_isForAgent(rules == Rules::Agent)
    {
    }

    /// Like the getters of JsonPlace.
    [[nodiscard]] std::optional<QString> text(const JsonPlace &place) const;
    [[nodiscard]] std::optional<QString> textNotEmpty(const JsonPlace &place) const;

    /// Describes a text that was read from the place, for a fault: "\"b:x\" (from \"${A}:x\")".
    [[nodiscard]] static QString describe(const JsonPlace &place, const QString &text);

private:
    [[nodiscard]] std::optional<QString> replaced(const JsonPlace &place,
                                                  const QString &text) const;
    [[nodiscard]] QString valueOf(const JsonPlace &place, const QString &variable) const;
    [[nodiscard]] std::optional<QString> lookUp(const QString &name) const;
    [[nodiscard]] QString existing(const JsonPlace &place, const QString &name,
                                   const QString &otherwise) const;

    QDir m_workspace;
    Environment m_environment;
    bool m_isForAgent;
};

} // namespace Rekindle

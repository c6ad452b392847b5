// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/restartpolicy.h>

#include <QString>

#include <functional>
#include <variant>
#include <vector>

namespace CLI {
class App;
}

namespace Rekindle {

class Messages;

/// The options of a command that make up a restart policy: one to begin with, and single values
/// that replace its own.
class PolicyOptions
{
public:
    /// The parser keeps references to this object.
    void addTo(CLI::App &parser);

    /// The policy, or the exit code after its faults were said. What is legal but odd, `rekindle
    /// plan` tells.
    [[nodiscard]] std::variant<RestartPolicy, int> resolve(bool readyAtOnce,
                                                           Messages &messages) const;

private:
    using Change = std::function<void(RestartPolicy &)>;

    void add(CLI::App &parser, const std::string &name, const std::string &typeName,
             const std::string &description, const std::string &allowed,
             std::function<Change(const QString &)> read);

    QString m_policy = QStringLiteral("default");
    std::vector<Change> m_changes;
};

} // namespace Rekindle

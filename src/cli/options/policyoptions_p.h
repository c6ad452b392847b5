// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/restartpolicy.h>

#include <QString>
#include <QStringList>

#include <functional>
#include <variant>
#include <vector>

namespace CLI {
class App;
}

namespace Rekindle {

class Messages;
struct Fault;

/// The options of a command that make up a restart policy: one to begin with, and single values
/// that replace its own.
class PolicyOptions
{
public:
    /// What is tried again by the policy; calls are never stable.
    enum class Of { Restarts, Calls };

    /// `preset` is what it begins with where --policy is not given.
    explicit PolicyOptions(QString preset = QStringLiteral("default"), Of of = Of::Restarts);

    /// The parser keeps references to this object.
    void addTo(CLI::App &parser);

    /// What it begins with instead of the preset of the constructor.
    void setPreset(const QString &preset) { m_preset = preset; }

    /// The policy, or the exit code after its faults were said. What is legal but odd, `rekindle
    /// plan` tells.
    [[nodiscard]] std::variant<RestartPolicy, int> resolve(bool readyAtOnce,
                                                           Messages &messages) const;

    /// The file that --policy names, if it does.
    [[nodiscard]] QString file() const;

private:
    using Change = std::function<void(RestartPolicy &)>;

    void add(CLI::App &parser, const std::string &name, const std::string &typeName,
             const std::string &description, const std::string &allowed,
             std::function<Change(const QString &)> read);
    [[nodiscard]] QString describe(const Fault &fault, const RestartPolicy &policy) const;

    QString m_preset;
    QString m_policy; ///< null: --policy was not given
    Of m_of;
    std::vector<Change> m_changes;
    QStringList m_given; ///< the options that these are from
};

} // namespace Rekindle

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "optiontypes_p.h"

#include <rekindle/policy/restartpolicy.h>

#include <vector>

namespace Rekindle {

class Messages;
struct Fault;

/// Returns the policy of an option --policy. Its faults end the command.
[[nodiscard]] RestartPolicy policyFromOption(const QString &argument, Messages &messages,
                                             Duration startTimeout = RestartPolicy().startTimeout);

/// The options that define a restart policy: a base policy, and options that change single values.
class PolicyOptions
{
public:
    /// What the policy applies to; stability does not exist for calls.
    enum class Of { Restarts, Calls };

    /// `preset` is the base policy without --policy.
    explicit PolicyOptions(QString preset = QStringLiteral("default"), Of of = Of::Restarts);

    /// The parser keeps references to this object.
    void addTo(CLI::App &parser);

    /// Replaces the preset of the constructor.
    void setPreset(const QString &preset) { m_preset = preset; }

    /// The start timeout of presets, and of policies that contain none.
    void setStartTimeout(Duration timeout) { m_startTimeout = timeout; }

    /// Returns the policy. Its faults end the command. Warnings are left to `rekindle plan`.
    [[nodiscard]] RestartPolicy resolve(bool readyAtOnce, Messages &messages) const;

    /// The file of --policy, or an empty text.
    [[nodiscard]] QString file() const;

private:
    /// An option that changes a value of the policy.
    struct Value
    {
        std::string option;
        std::string pointer; ///< JSON pointer of the value
        std::string typeName;
        std::string description;
        std::string expected;
        std::string alsoPermitted; ///< in addition to the range of the value
        /// Returns false for an invalid text.
        std::function<bool(const QString &text, RestartPolicy &policy)> set;
    };
    struct Given
    {
        Value value;
        QString text;
    };

    void add(CLI::App &parser, const Value &value);
    [[nodiscard]] QString describe(const Fault &fault, const RestartPolicy &policy) const;

    QString m_preset;
    Duration m_startTimeout = RestartPolicy().startTimeout;
    QString m_policy; ///< null: --policy was not given
    Of m_of;
    std::vector<Given> m_given;
};

} // namespace Rekindle

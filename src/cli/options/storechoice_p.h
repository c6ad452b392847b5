// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "optiontypes_p.h"

#include <QStringList>

namespace Rekindle {

class Messages;

/// The default telemetry store of a configuration. This file and those below are in the state
/// folder; the paths are empty if there is none.
[[nodiscard]] QString storeOf(const QString &configuration);

/// The default telemetry store of a program that runs without a configuration. Its name depends on
/// `name`, on these words of the command line and on the working directory.
[[nodiscard]] QString storeOfProgram(const QString &name, const QStringList &words);

/// The default state file of a configuration, beside its default store.
[[nodiscard]] QString stateOf(const QString &configuration);

/// The path whose lock prevents a second `up` of a configuration.
[[nodiscard]] QString lockOf(const QString &configuration);

/// The log of an `up --detach` of this configuration.
[[nodiscard]] QString logOf(const QString &configuration);

/// The name of the control socket of an `up` of this configuration.
[[nodiscard]] QString hostNameOf(const QString &configuration);

/// The file with the latest time that was seen with licenses of a key.
[[nodiscard]] QString licenseClockOf(const QString &keyId);

/// Ends the command, because a store cannot be read.
[[noreturn]] void refuseUnreadable(const QString &store, const QString &fault, Messages &messages);

/// Ends the command, because of the contents of a store.
[[noreturn]] void refuseContents(const QString &store, const QString &fault, Messages &messages);

/// "no agent named web; known agents: a, b".
[[nodiscard]] QString unknownAgentText(const QString &name, const QStringList &known);

/// The options --store and --config of commands that read a store.
class StoreChoice
{
public:
    void addTo(CLI::App &parser);

    /// The same as --store.
    void setStore(const QString &store) { m_store = store; }

    [[nodiscard]] bool hasStore() const { return !m_store.isEmpty(); }
    [[nodiscard]] const QString &configuration() const { return m_configuration; }

    /// Returns the store of the options. Without options, returns the first of these that exists:
    /// the only store in the state folder, the only store there that contains this agent, or the
    /// only store there to which a running host writes. Otherwise ends the command.
    [[nodiscard]] QString choose(Messages &messages, const QString &agent) const;

private:
    QString m_store;
    QString m_configuration;
};

} // namespace Rekindle

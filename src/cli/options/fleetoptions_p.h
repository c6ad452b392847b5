// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/config/configuration.h>
#include <rekindle/etcd/etcdstore.h>

namespace Rekindle {

/// The options of the store; reads the password. A file that cannot be read is a fault of
/// etcdFaults().
[[nodiscard]] EtcdOptions etcdOptions(const FleetDefinition &fleet);

/// The faults of the section `fleet` that only the store detects, with their places in the file.
/// Reads the files with certificates and the password.
[[nodiscard]] QList<Fault> etcdFaults(const Configuration &configuration, const QString &file);

/// What the times of the configuration mean, for `rekindle check`; empty without a fleet.
[[nodiscard]] QString fleetText(const Configuration &configuration);

} // namespace Rekindle

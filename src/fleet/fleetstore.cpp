// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#include <rekindle/fleet/fleetstore.h>

namespace Rekindle {

FleetStore::Watch::~Watch() = default;

FleetStore::FleetStore(QObject *parent)
    : QObject(parent)
{
}

} // namespace Rekindle

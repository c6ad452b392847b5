// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "server.h"

/// What the sample server can do.
namespace Tools {

/// Name, description, schema and annotations of each.
[[nodiscard]] Json list();

/// False if there is no such tool. `params` are the parameters of tools/call.
bool call(Server &server, const std::string &name, const Json &id, const Json &params);

} // namespace Tools

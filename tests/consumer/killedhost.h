// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

/// Runs a host with one agent that writes the process id of its own child to stdout.
int runHostToBeKilled(int argc, char **argv);

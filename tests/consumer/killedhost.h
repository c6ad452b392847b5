// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

/// A host whose one agent writes the number of its own child to stdout and then runs on.
int runHostToBeKilled(int argc, char **argv);

#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
#
# Exit code 42 asks for a restart, for example to load a new configuration. It is no failure.
echo "working; asks for a restart in 15 seconds"
sleep 15
exit 42

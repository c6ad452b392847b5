#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
#
# Exit code 42 requests a restart, for example to load a new configuration. It is not a failure.
echo "working; requests a restart in 15 seconds"
sleep 15
exit 42

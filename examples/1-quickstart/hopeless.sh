#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
#
# Crashes at every start. Its circuit breaker opens.
echo "cannot reach the database" >&2
sleep 0.3
exit 69

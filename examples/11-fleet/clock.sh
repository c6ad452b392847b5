#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
#
# The agent of the example: adds a line to $ROWS ten times a second: node, fencing token, seconds since boot.
while read -r uptime _ </proc/uptime; do
    echo "$NODE $REKINDLE_FENCE $uptime" >>"$ROWS"
    sleep 0.1
done

#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
#
# Crashes at its first two starts and then works. It counts its starts in a file that is named
# after the process id of rekindle, and removes the file at the third start.
count=${XDG_RUNTIME_DIR:-/tmp}/rekindle-quickstart-worker.$PPID
starts=$(cat "$count" 2>/dev/null || echo 0)
starts=$((starts + 1))

if [ "$starts" -le 2 ]; then
    echo "$starts" >"$count"
    echo "start $starts: about to crash"
    sleep 0.5
    exit 1
fi
rm -f "$count"
echo "start $starts: works from now on"
while :; do
    sleep 10
    echo "still working"
done

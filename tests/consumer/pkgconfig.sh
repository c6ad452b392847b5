#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
#
# Usage: pkgconfig.sh LIBDIR
#
# Builds hosts in the current folder, with the flags of pkg-config only, and runs them. The file
# `command` there contains the command of docs/building.md.
set -eu
export PKG_CONFIG_PATH="$1/pkgconfig" LD_LIBRARY_PATH="$1"
sources=$(dirname "$0")

printf '#include "%s"\n' "$sources/killedhost.cpp" "$sources/killedhostmain.cpp" >main.cpp
sh -eu ./command
mv host killedhost
# The flags are words of their own.
# shellcheck disable=SC2046
c++ -std=c++20 -Wall -Wextra -Wpedantic -Werror "$sources/consumer.cpp" \
    $(pkg-config --cflags --libs rekindle-process rekindle-license rekindle-state) -o consumer
exec ./consumer

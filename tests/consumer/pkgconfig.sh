#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
#
# Usage: pkgconfig.sh SOURCES LIBDIR FOLDER COMPILER
#
# Builds the hosts in SOURCES in FOLDER, with no flags but those of pkg-config, and runs them.
set -eu
sources=$1 libdir=$2 folder=$3 compiler=$4
mkdir -p "$folder"
export PKG_CONFIG_PATH="$libdir/pkgconfig" LD_LIBRARY_PATH="$libdir"

build() {
    output=$1 modules=$2
    shift 2
    # The flags are words of their own.
    # shellcheck disable=SC2046,SC2086
    "$compiler" -std=c++20 -Wall -Wextra -Wpedantic -Werror "$@" \
        $(pkg-config --cflags --libs $modules) -o "$folder/$output"
}
build killedhost rekindle-process "$sources/killedhost.cpp" "$sources/killedhostmain.cpp"
build consumer "rekindle-process rekindle-license rekindle-state" "$sources/consumer.cpp"
exec "$folder/consumer"

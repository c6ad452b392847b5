# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
#
# Common functions and settings of the scripts (bash).

# The version of the clang tools that check the sources, because each version has other findings.
# CMakePresets.json names it, too.
clang_version=19

root=$(cd -P "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# run_logged LOG COMMAND...: all output goes to LOG; its end is shown on stderr if COMMAND fails.
run_logged() {
    local log=$1
    shift
    if ! "$@" </dev/null >>"$log" 2>&1; then
        tail -n 80 "$log" >&2
        echo "$(basename "$0"): failed: $* (whole log: $log)" >&2
        return 70
    fi
}

# build_preset PRESET [TARGET...]: configures build/PRESET if necessary and builds it, or only the
# targets. Prints a line before the first build, and the end of the log after a failure. A lock prevents
# two builds in one folder.
build_preset() {
    mkdir -p "$root/build"
    (
        flock 9
        cd "$root"
        local folder=$root/build/$1 log=$root/build/$1.log
        : >"$log"
        if [[ ! -e $folder/build.ninja ]]; then
            echo "$(basename "$0"): building $1 for the first time, this takes some minutes (tail -f build/$1.log)" >&2
        fi
        if ! grep -qsxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$folder/CMakeCache.txt"; then
            # A new folder, or a copy from another tree.
            run_logged "$log" cmake --preset "$1" --fresh
        elif [[ ! -e $folder/build.ninja || CMakePresets.json -nt $folder/build.ninja ]]; then
            run_logged "$log" cmake --preset "$1"
        fi
        run_logged "$log" cmake --build --preset "$1" ${2:+--target "${@:2}"}
    ) 9>"$root/build/$1.lock"
}

# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
#
# Functions for tests in an empty Debian system, which is a folder below build/ (bash). The script sets:
#   self    its name in messages
#   log     the file for the output of commands
#   system  the folder
# Nothing outside build/ is changed.

source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/lib.sh"

say() {
    echo "$self: $*"
}

fail() {
    local status=$1
    shift
    echo "$self: $*" >&2
    exit "$status"
}

# Prints the suite of this machine, for example bookworm.
machine_suite() (
    source /etc/os-release
    echo "${VERSION_CODENAME:-}"
)

# isolated COMMAND...: runs COMMAND in its own namespaces for mounts and processes. Mounts and processes
# disappear when COMMAND exits and when this script is killed.
isolated() {
    setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child --mount-proc "$@" &
    isolated_id=$!
    local status=0
    wait "$isolated_id" || status=$?
    isolated_id=
    return $status
}
isolated_id=

# begin_isolated LOCK: exits with 77 if this machine does not allow such systems, and with 75 if another
# process has the lock. At the exit, also by a signal, end_isolated is called.
begin_isolated() {
    ((EUID == 0)) || fail 77 "needs root, to install packages in a folder"
    isolated true 2>/dev/null || fail 77 "this machine allows no mount namespace"
    command -v mmdebstrap >/dev/null || fail 69 "mmdebstrap is missing; scripts/setup --ci installs it"
    mkdir -p "$root/build"
    exec 8>"$root/build/$1.lock"
    flock -n 8 || fail 75 "already running (build/$1.lock)"
    : >"$log"
    exec 9>&2
    # `wait` returns at once if a signal has a trap.
    trap 'exit 129' HUP
    trap 'exit 130' INT
    trap 'exit 143' TERM
    trap leave EXIT
}
leave() {
    trap "" HUP INT TERM
    exec 2>&9 # a command that was interrupted had the log as stderr
    if [[ -n $isolated_id ]]; then
        kill -KILL "$isolated_id" 2>/dev/null && wait "$isolated_id" 2>/dev/null || true
    fi
    end_isolated
}

# create_system SUITE: creates the folder with an empty system of this suite and a plain user.
create_system() {
    remove_system
    # The mirror and the keys are the same as on this machine. The package lists remain. A mirror that is a
    # snapshot may be older than the lists of testing are valid.
    if ! isolated mmdebstrap --mode=root --variant=apt --skip=cleanup/apt \
        --aptopt='Acquire::Check-Valid-Until "false"' --dpkgopt=force-unsafe-io "$1" "$system.new" </dev/null >>"$log" 2>&1; then
        if grep -q 'does not have a Release file' "$log"; then
            fail 65 "there is no Debian suite '$1' on the mirror of this machine (log: $log)"
        fi
        tail -n 20 "$log" >&2
        fail 70 "could not create a system of the suite '$1' (whole log: $log)"
    fi
    echo 'user:x:1000:1000::/home/user:/bin/bash' >>"$system.new/etc/passwd"
    echo 'user:x:1000:' >>"$system.new/etc/group"
    mkdir "$system.new/home/user"
    chown 1000:1000 "$system.new/home/user"
    [[ -e $system.new/etc/hosts ]] || echo '127.0.0.1 localhost' >"$system.new/etc/hosts"
    # Certificates of this machine, for npm on a machine behind a proxy.
    if [[ -e /etc/ssl/certs/ca-certificates.crt ]]; then
        cp -L /etc/ssl/certs/ca-certificates.crt "$system.new/opt/machine-certificates.crt"
    fi
    mv -T "$system.new" "$system"
}
remove_system() {
    # A process that was just killed may still write a file.
    rm -rf --one-file-system "$system" "$system.new" 2>/dev/null \
        || { sleep 1 && rm -rf --one-file-system "$system" "$system.new"; }
}

# inside COMMAND...: runs COMMAND in the system. The shell that waits for it collects orphans.
inside() {
    isolated bash -c '
        set -e
        mount -t proc proc "$1/proc"
        mount --rbind /dev "$1/dev"
        mount -t tmpfs -o mode=1777 tmpfs "$1/dev/shm"
        mount -t tmpfs -o mode=755 tmpfs "$1/run"
        status=0
        chroot "$@" || status=$?
        exit $status' inside "$system" "$@"
}

# as_root SCRIPT and as_user SCRIPT: run SCRIPT in the system, as root or as the plain user. SCRIPT starts
# in the home folder.
as_root() {
    inside env -i HOME=/root USER=root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
        npm_config_cafile=/opt/machine-certificates.crt PATH=/usr/sbin:/usr/bin:/sbin:/bin \
        bash -euxo pipefail -c "cd; $1" "$self"
}
as_user() {
    inside setpriv --reuid=1000 --regid=1000 --clear-groups \
        env -i HOME=/home/user USER=user LANG=C.UTF-8 \
        npm_config_cafile=/opt/machine-certificates.crt PATH=/usr/bin:/bin \
        bash -euxo pipefail -c "cd; $1" "$self"
}

# A part of a SCRIPT: fails unless the file `events` has the events of a quick start.
check_quickstart='
    for event in agent.ready agent.failed restart.scheduled circuit.changed; do
        grep -q "rekindle.$event.v1" events
    done'

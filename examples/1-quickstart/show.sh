#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
#
# Usage: show.sh REKINDLE FOLDER LENGTH [OPTION...]
#
# Runs `rekindle up quickstart.json OPTION...` under a trial license of this LENGTH (30s). The keys
# of the vendor and the license are created in FOLDER. When the license expires, the tier is Core.
set -eu
rekindle=$1 folder=$2 length=$3
shift 3
"$rekindle" license keygen --out "$folder/vendor" >/dev/null
"$rekindle" license issue --key "$folder/vendor.key" --tier Teams --licensee "Quick start" \
    --audience rekindle --for "$length" --out "$folder/trial.license"
exec "$rekindle" up "$(dirname "$0")/quickstart.json" --license "$folder/trial.license" \
    --license-key "$folder/vendor.pub" "$@"

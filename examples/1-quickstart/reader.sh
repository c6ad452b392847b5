#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Rekindle founders
# SPDX-License-Identifier: MIT
#
# Works until it is stopped. It needs the web server, and is restarted together with the thinker.
echo "reading"
exec sleep infinity

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// The first line is a URI, the others are URI templates. A template without braces matches itself
// only.

#include "fuzztarget.h"

#include "mcp/gateway/gatewaycatalog_p.h"

using namespace Rekindle;

void fuzzOne(QByteArrayView bytes)
{
    const QByteArrayList lines = bytes.toByteArray().split('\n');
    const QByteArray &uri = lines.first();
    for (qsizetype i = 1; i < lines.size() && i <= 8; ++i) {
        GatewayCatalog catalog({QStringLiteral("server")});
        (void)catalog.set(0, ListKind::ResourceTemplates, {{lines[i], "{}"}});
        const auto owner = catalog.ownerOf(ListKind::Resources, uri);
        if (!lines[i].contains('{') && lines[i].size() <= 512 && uri.size() <= 4096)
            require(owner.has_value() == (lines[i] == uri), "a template without braces is wrong");
        if (lines[i] == "{+x}" && uri.size() <= 4096)
            require(owner.has_value(), "a template that matches everything does not match");
    }
}

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/config/configuration.h>

#include <QByteArray>

namespace Rekindle {

/// A configuration with these agents, the elements of a JSON array.
inline Configuration configurationOf(const QByteArray &agents)
{
    const QByteArray text = R"({"agents": [)" + agents + "]}";
    const Parsed<Configuration> parsed = parseConfiguration(text, QStringLiteral("/"));
    if (!parsed)
        qFatal("%s", qPrintable(parsed.messages().join(u'\n')));
    return *parsed.value;
}

} // namespace Rekindle

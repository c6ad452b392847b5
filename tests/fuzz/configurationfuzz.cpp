// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// Reads any bytes as a configuration. Each rejected one has an error with a place.

#include "fuzztarget.h"

#include <rekindle/config/configuration.h>

using namespace Rekindle;

namespace {

// An empty text has no place.
void checkFaults(const QList<Fault> &faults, const QByteArray &text)
{
    const qsizetype size = text.size();
    for (const Fault &fault : faults) {
        require(!fault.message.isEmpty(), "a fault has no message");
        if (!fault.file.isEmpty())
            continue; // the place is in an included file
        require((fault.line > 0 && fault.column > 0) || text.trimmed().isEmpty(),
                "a fault has no place");
        require(fault.line <= size + 1 && fault.column <= size + 1,
                "a place is outside of the text");
    }
}

} // namespace

void fuzzOne(QByteArrayView bytes)
{
    const QByteArray text = bytes.toByteArray();
    const auto read = parseConfiguration(text, QStringLiteral("/nonexistent"));
    require(read.value.has_value() != hasErrors(read.faults), "rejected without an error");
    checkFaults(read.faults, text);
    checkFaults(read.warnings, text);
    if (read.value)
        require(!read.value->agents.isEmpty(), "a configuration without agents is accepted");
}

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// Reads any bytes as a policy. An accepted one is valid and reads back to the same.

#include "fuzztarget.h"

#include <rekindle/policy/policyjson.h>

using namespace Rekindle;

void fuzzOne(QByteArrayView bytes)
{
    const auto read = restartPolicyFromJson(bytes.toByteArray());
    require(read.value.has_value() != hasErrors(read.faults), "rejected without an error");
    for (const Fault &fault : read.faults)
        require((fault.line > 0 && fault.column > 0) || bytes.trimmed().isEmpty(),
                "a fault has no place");
    if (!read.value)
        return;
    require(!hasErrors(validate(*read.value)), "an invalid policy is accepted");
    const QByteArray written = toJson(*read.value);
    const auto again = restartPolicyFromJson(written);
    require(again.value.has_value(), "a written policy is rejected");
    require(toJson(*again.value) == written, "a policy changes when it is written and read");
}

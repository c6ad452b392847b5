// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// Reads any bytes as a file of another supervisor. The first byte selects the format. Each rejected
// file has an error with a place, and an accepted one becomes a valid configuration.

#include "fuzztarget.h"

#include "cli/import/importreaders_p.h"

#include <rekindle/config/configuration.h>

using namespace Rekindle;

namespace {

Imported imported(char format, QByteArrayView text)
{
    switch (format) {
    case 'c':
        return readCompose(text);
    case 'j':
        return readPm2(text);
    case 'p':
        return readProcfile(text);
    case 's':
        return readSupervisord(text);
    default:
        return readSystemd(text, QStringLiteral("worker@mail.service"));
    }
}

// What depends on the machine: variables that are not set or empty, environment files, users and
// groups.
bool isOfMachine(const Fault &fault)
{
    return fault.path.contains(QLatin1String("/environmentFiles"))
        || fault.message.contains(QLatin1String("of this machine"))
        || fault.message.contains(QLatin1String("not set"))
        || fault.message.contains(QLatin1String("empty after its variables were replaced"));
}

} // namespace

void fuzzOne(QByteArrayView bytes)
{
    if (bytes.isEmpty())
        return;
    const Imported read = imported(bytes.front(), bytes.sliced(1));
    require(read.value.has_value() == read.faults.isEmpty(), "rejected without an error");
    for (const Fault &fault : read.faults + read.warnings) {
        require(!fault.message.isEmpty(), "a fault has no message");
        require(fault.line > 0 && fault.line <= bytes.size() + 1, "a line is outside of the text");
    }
    const QByteArray text = configurationText(read, QStringLiteral("fuzz"));
    if (!read)
        return;
    require(!read.value->agents.empty(), "no agents");
    const Parsed<Configuration> configuration =
        parseConfiguration(text, QStringLiteral("/nowhere"));
    for (const Fault &fault : configuration.faults) {
        if (!isOfMachine(fault))
            qCritical("%s\n%s", qPrintable(fault.toString()), text.constData());
        require(isOfMachine(fault), "the configuration is invalid");
    }
}

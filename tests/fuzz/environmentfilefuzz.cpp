// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// Reads any bytes as an environment file. Each rejected one has an error with a place, and the
// variables of an accepted one are read back from their values in quotes.

#include "fuzztarget.h"

#include "config/environment/environmentfile_p.h"

using namespace Rekindle;

namespace {

QByteArray written(const EnvironmentFile::Variables &variables)
{
    QByteArray text;
    for (auto variable = variables.begin(); variable != variables.end(); ++variable) {
        QByteArray value = variable.value().toUtf8();
        value.replace('\\', "\\\\").replace('"', "\\\"");
        text += variable.key().toUtf8() + "=\"" + value + "\" # note\n";
    }
    return text;
}

} // namespace

void fuzzOne(QByteArrayView bytes)
{
    const Parsed<EnvironmentFile::Variables> read = EnvironmentFile(bytes).read();
    require(read.value.has_value() == read.faults.isEmpty(), "rejected without an error");
    for (const Fault &fault : read.faults + read.warnings) {
        require(!fault.message.isEmpty(), "a fault has no message");
        require(fault.line > 0 && fault.column > 0, "a fault has no place");
        require(fault.line <= bytes.size() + 1 && fault.column <= bytes.size() + 1,
                "a place is outside of the text");
    }
    if (!read)
        return;
    for (auto name = read.value->keyBegin(); name != read.value->keyEnd(); ++name)
        require(!name->isEmpty() && !name->contains(u'='), "a name is invalid");
    const QByteArray text = written(*read.value);
    const Parsed<EnvironmentFile::Variables> again = EnvironmentFile(text).read();
    require(again && *again.value == *read.value, "the values change when they are written");
}

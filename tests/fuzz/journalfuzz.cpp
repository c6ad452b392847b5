// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// Reads any bytes as the kind (the first line) and the data of an entry of the journal. What is
// valid must be the same after it was written and read again, and its input must be applicable.

#include "fuzztarget.h"

#include <rekindle/policy/journalentry.h>

using namespace Rekindle;

namespace {

constexpr Instant at{std::chrono::hours(1)};

void apply(const JournalEntry &entry)
{
    Instance instance(std::make_shared<const RestartPolicy>());
    Failure failure;
    static_cast<void>(InstanceTable::apply(instance, entry.toInput(failure), at, 0.5));
}

} // namespace

void fuzzOne(QByteArrayView bytes)
{
    const qsizetype end = bytes.indexOf('\n');
    if (end < 0)
        return;
    JournalEntry entry;
    entry.time = at;
    const QString kind = QString::fromUtf8(bytes.first(end));
    if (!entry.read(kind, bytes.sliced(end + 1).toByteArray()).isEmpty())
        return;
    require(entry.kindText() == kind, "the kind has changed");
    JournalEntry again;
    again.time = at;
    require(again.read(entry.kindText(), entry.data()).isEmpty(), "what was written is invalid");
    require(again.data() == entry.data(), "it is different after it was read again");
    if (entry.kind == JournalEntry::Kind::Input)
        apply(entry);
}

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// Reads any bytes as a state file: as they are, and as the lines below a header with the right
// checksum. Accepted contents stay the same when they are written and read.

#include "fuzztarget.h"

#include "state/statecontents_p.h"

#include <QCryptographicHash>

using namespace Rekindle;

namespace {

void check(const QByteArray &text)
{
    const StateReading read = stateFromText(text);
    if (!read.fault.isEmpty()) {
        require(read.contents.agents.isEmpty(), "a rejected file has contents");
        return;
    }
    SavedTime later = read.contents.saved;
    later.mono += std::chrono::hours(1);
    const StateContents moved = read.contents.movedTo(later);
    require(moved.agents.size() == read.contents.agents.size(), "an agent is lost");
    const StateReading again = stateFromText(toText(read.contents));
    require(again.fault.isEmpty(), qPrintable(again.fault));
    require(again.contents.agents.size() == read.contents.agents.size(), "an agent is not stored");
    for (auto it = read.contents.agents.cbegin(); it != read.contents.agents.cend(); ++it) {
        const auto stored = again.contents.agents.constFind(it.key());
        require(stored != again.contents.agents.cend(), "the name of an agent changes");
        require(stored->memory == it->memory, "an agent changes when it is written and read");
    }
}

} // namespace

void fuzzOne(QByteArrayView bytes)
{
    const QByteArray body = bytes.toByteArray();
    check(body);
    const QByteArray sum = QCryptographicHash::hash(body, QCryptographicHash::Sha256).toHex();
    check(R"({"format":"rekindle-state","version":1,"sha256":")" + sum + "\"}\n" + body);
}

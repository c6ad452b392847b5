// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "notifymessage_p.h"

#include "base/text/terminaltext_p.h"

#include <algorithm>

namespace Rekindle {

namespace {

std::optional<QByteArrayView> valueOf(QByteArrayView line, QByteArrayView key)
{
    return line.startsWith(key) ? std::optional(line.sliced(key.size())) : std::nullopt;
}

QString statusText(QByteArrayView bytes)
{
    return foreignText(QString::fromUtf8(bytes).trimmed(), NotifyMessage::longestStatus).trimmed();
}

std::optional<Duration> extensionOf(QByteArrayView digits)
{
    if (digits.isEmpty() || digits.size() > 20
        || !std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; }))
        return {};
    bool isNumber = false;
    const quint64 count = digits.toULongLong(&isNumber);
    constexpr auto most =
        std::chrono::duration_cast<std::chrono::microseconds>(NotifyMessage::longestExtension);
    if (!isNumber || count == 0)
        return {};
    return std::chrono::microseconds(std::min(count, quint64{most.count()}));
}

} // namespace

NotifyMessage NotifyMessage::parse(QByteArrayView message)
{
    NotifyMessage result;
    while (!message.isEmpty()) {
        const qsizetype found = message.indexOf('\n');
        const qsizetype end = found < 0 ? message.size() : found;
        const QByteArrayView line = message.first(end);
        message = message.sliced(std::min(end + 1, message.size()));
        if (line == QByteArrayView("READY=1"))
            result.ready = true;
        else if (line == QByteArrayView("WATCHDOG=1"))
            result.heartbeat = true;
        else if (line == QByteArrayView("WATCHDOG=trigger"))
            result.reportedUnhealthy = true;
        else if (line == QByteArrayView("STOPPING=1"))
            result.stopping = true;
        else if (const auto text = valueOf(line, "STATUS="))
            result.status = statusText(*text);
        else if (const auto time = valueOf(line, "EXTEND_TIMEOUT_USEC="))
            result.extension = extensionOf(*time);
        else if (line == QByteArrayView("FDSTORE=1"))
            result.descriptors.areStored = true;
        else if (line == QByteArrayView("FDSTOREREMOVE=1"))
            result.descriptors.areRemoved = true;
        else if (line == QByteArrayView("FDPOLL=0"))
            result.descriptors.ignoreHangUp = true;
        else if (const auto name = valueOf(line, "FDNAME="))
            result.descriptors.name = name->toByteArray();
    }
    return result;
}

void NotifyMessage::add(const NotifyMessage &later)
{
    ready |= later.ready;
    heartbeat |= later.heartbeat;
    reportedUnhealthy |= later.reportedUnhealthy;
    stopping |= later.stopping;
    if (later.status)
        status = later.status;
    if (later.extension)
        extension = later.extension;
}

} // namespace Rekindle

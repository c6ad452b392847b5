// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// Reads any bytes as a message of sd_notify. The values are within their limits, and reading the
// lines one by one has the same result.

#include "fuzztarget.h"

#include "process/io/notifymessage_p.h"

#include <QByteArrayList>

using namespace Rekindle;

void fuzzOne(QByteArrayView bytes)
{
    const NotifyMessage message = NotifyMessage::parse(bytes);
    if (message.extension)
        require(*message.extension > Duration{0}
                    && *message.extension <= NotifyMessage::longestExtension,
                "an extension is out of its range");
    if (message.status) {
        require(message.status->size() <= NotifyMessage::longestStatus, "a status is too long");
        for (const QChar character : *message.status)
            require(character.category() != QChar::Other_Control,
                    "a status has a control character");
        require(message.status->isValidUtf16(), "a status has half a character");
    }
    NotifyMessage sum;
    for (const QByteArray &line : bytes.toByteArray().split('\n'))
        sum.add(NotifyMessage::parse(line));
    // An invalid extension removes the one before it in the same message only.
    sum.extension = message.extension;
    sum.descriptors = message.descriptors; // a sum does not use its own
    require(sum == message, "the lines one by one have another content");
}

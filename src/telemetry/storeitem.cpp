// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "storeitem_p.h"

#include "base/text/validtext_p.h"
#include "json/jsonwriter.h"

namespace Rekindle {

QByteArray toJson(const CommandRecord &record)
{
    return jsonObject([&record](JsonWriter &json) {
        json.member("command", toText(record.command));
        json.member("state", toText(record.state));
    });
}

QByteArray toJson(const StoreGap &gap)
{
    return jsonObject([&gap](JsonWriter &json) {
        json.member("firstSequence", gap.firstSequence);
        json.member("events", gap.events);
        json.member("decisions", gap.decisions);
        if (gap.commands > 0)
            json.member("commands", gap.commands);
        if (gap.calls > 0)
            json.member("calls", gap.calls);
    });
}

QByteArray storable(const QString &text)
{
    if (text.isNull())
        return "";                                                 // null is stored as NULL
    return validText(text).toUtf8().replace('\0', "\xef\xbf\xbd"); // U+FFFD
}

} // namespace Rekindle

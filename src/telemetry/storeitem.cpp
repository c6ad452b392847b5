// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "storeitem_p.h"

#include "base/text/validtext_p.h"
#include "json/jsonwriter.h"

namespace Rekindle {

QByteArray toJson(const CommandRecord &record)
{
    QByteArray text;
    JsonWriter json(text);
    json.beginObject();
    json.member(QLatin1String("command"), toText(record.command));
    json.member(QLatin1String("state"), toText(record.state));
    json.endObject();
    return text;
}

QByteArray toJson(const StoreGap &gap)
{
    QByteArray text;
    JsonWriter json(text);
    json.beginObject();
    json.member(QLatin1String("firstSequence"), gap.firstSequence);
    json.member(QLatin1String("events"), gap.events);
    json.member(QLatin1String("decisions"), gap.decisions);
    if (gap.commands > 0)
        json.member(QLatin1String("commands"), gap.commands);
    if (gap.calls > 0)
        json.member(QLatin1String("calls"), gap.calls);
    json.endObject();
    return text;
}

QByteArray storable(const QString &text)
{
    if (text.isNull())
        return "";                                                 // null is stored as NULL
    return validText(text).toUtf8().replace('\0', "\xef\xbf\xbd"); // U+FFFD
}

} // namespace Rekindle

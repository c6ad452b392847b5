// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "messagewriter_p.h"

#include "json/jsonwriter.h"

namespace Rekindle {

namespace {

constexpr char start[] = R"({"jsonrpc":"2.0")";

QByteArray started(QByteArrayView id)
{
    QByteArray line(start);
    line.append(R"(,"id":)").append(id.isEmpty() ? QByteArrayView("null") : id);
    return line;
}

void addMethod(QByteArray &line, QLatin1String method, QByteArrayView params)
{
    line.append(R"(,"method":)");
    JsonWriter(line).value(method);
    if (!params.isEmpty())
        line.append(R"(,"params":)").append(params);
    line.append('}');
}

} // namespace

QByteArray jsonText(QStringView text)
{
    QByteArray json;
    JsonWriter(json).value(text);
    return json;
}

QByteArray withId(QByteArrayView line, const MessagePeek &peek, QByteArrayView newId)
{
    const qsizetype behind = peek.idValue.offset + peek.idValue.size;
    QByteArray changed;
    changed.reserve(line.size() - peek.idValue.size + newId.size());
    changed.append(line.first(peek.idValue.offset)).append(newId).append(line.sliced(behind));
    return changed;
}

QByteArray makeError(QByteArrayView id, int code, QStringView message, QByteArrayView data)
{
    QByteArray line = started(id);
    line.append(R"(,"error":{"code":)").append(QByteArray::number(code)).append(R"(,"message":)");
    JsonWriter(line).value(message);
    if (!data.isEmpty())
        line.append(R"(,"data":)").append(data);
    line.append("}}");
    return line;
}

QByteArray makeResult(QByteArrayView id, QByteArrayView result)
{
    return started(id).append(R"(,"result":)").append(result).append('}');
}

QByteArray makeRequest(QByteArrayView id, QLatin1String method, QByteArrayView params)
{
    QByteArray line = started(id);
    addMethod(line, method, params);
    return line;
}

QByteArray makeNotification(QLatin1String method, QByteArrayView params)
{
    QByteArray line(start);
    addMethod(line, method, params);
    return line;
}

} // namespace Rekindle

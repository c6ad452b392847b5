// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// Reads any bytes as the head of an HTTP request. The result must not depend on how they arrive.

#include "fuzztarget.h"

#include "metrics/httprequest_p.h"

#include <algorithm>

using namespace Rekindle;

namespace {

constexpr qsizetype maxSize = 512;

bool isSame(const HttpHead &one, const HttpHead &other)
{
    if (one.request.has_value() != other.request.has_value())
        return false;
    return one.request
        ? one.request->method == other.request->method && one.request->path == other.request->path
        : one.refusal == other.refusal;
}

} // namespace

void fuzzOne(QByteArrayView bytes)
{
    const QByteArray text = bytes.first(std::min(bytes.size(), 2 * maxSize)).toByteArray();
    const HttpHead whole = readHead(text, maxSize);
    require(whole.isComplete || text.size() < maxSize, "a head that is too long is not refused");
    require(whole.isComplete || !whole.request, "an incomplete head has a request");
    if (whole.request) {
        require(!whole.request->method.isEmpty(), "a request has no method");
        require(whole.request->path.startsWith('/'), "a path is not absolute");
    }
    for (qsizetype size = 0; size <= std::min(text.size(), maxSize); ++size) {
        const HttpHead part = readHead(text.first(size), maxSize);
        if (!part.isComplete)
            continue;
        require(isSame(part, whole), "the head depends on the pieces");
        return;
    }
    require(!whole.isComplete, "the head depends on the pieces");
}

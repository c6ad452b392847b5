// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "lenientanswer_p.h"

#include <utility>

namespace Rekindle {

MessagePeek lenientAnswer(QByteArrayView line, MessagePeek peek)
{
    const bool hasError = peek.error.isPresent() && peek.error.of(line) != QByteArrayView("null");
    peek.kind =
        peek.result.isPresent() && !hasError ? MessagePeek::Kind::Result : MessagePeek::Kind::Error;
    peek.id = MessageId::ofJson(peek.idValue.of(line));
    return peek;
}

MessagePeek answerFromEnds(QByteArrayView line)
{
    MessagePeek ends = MessagePeek::atEnds(line, line);
    if (ends.isAnswer()) {
        ends.kind = MessagePeek::Kind::Error;
        ends.fault = QLatin1String("its response cannot be read");
    }
    return ends;
}

} // namespace Rekindle

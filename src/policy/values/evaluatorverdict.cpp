// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/policy/evaluatorverdict.h>

namespace Rekindle {

QString EvaluatorOpinion::answerText() const
{
    if (!answer)
        return QStringLiteral("none");
    switch (*answer) {
    case EvaluatorVerdict::Kind::Accept:
        return QStringLiteral("accept");
    case EvaluatorVerdict::Kind::Delay:
        return QStringLiteral("delay");
    case EvaluatorVerdict::Kind::Refuse:
        return QStringLiteral("refuse");
    case EvaluatorVerdict::Kind::OpenBreaker:
        return QStringLiteral("openBreaker");
    }
    return {};
}

} // namespace Rekindle

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "toolcallrules_p.h"

#include <algorithm>

namespace Rekindle {

namespace {

using Evidence = ToolCallVerdict::Evidence;
using Kind = McpError::Kind;

constexpr int invalidRequest = -32600;
constexpr int methodNotFound = -32601;
constexpr int invalidParams = -32602;

// Results may be long, records are not.
constexpr qsizetype longestMessage = 500;

bool saysOneOf(const QString &text, const QStringList &parts)
{
    return std::any_of(parts.begin(), parts.end(), [&text](const QString &part) {
        return !part.isEmpty() && text.contains(part, Qt::CaseInsensitive);
    });
}

bool isInputError(const McpError &error, const QStringList &inputErrors)
{
    return error.code == invalidRequest || error.code == methodNotFound
        || error.code == invalidParams || saysOneOf(error.message, inputErrors);
}

ToolCallVerdict failed(Evidence evidence, bool mayRepeat)
{
    ToolCallVerdict verdict;
    verdict.hasFailed = true;
    verdict.mayRepeat = mayRepeat;
    verdict.evidence = evidence;
    return verdict;
}

} // namespace

ToolCallVerdict judge(const ToolResult &result, CallRetry retry, bool repeatable,
                      const QStringList &inputErrors)
{
    ToolCallVerdict answered;
    answered.evidence = Evidence::Success;
    if (!result.error) {
        if (!result.isError() || retry != CallRetry::Always)
            return answered;
        return saysOneOf(result.text(), inputErrors) ? failed(Evidence::None, false)
                                                     : failed(Evidence::Failure, true);
    }
    const McpError &error = *result.error;
    const bool again = retry == CallRetry::Always || (retry == CallRetry::Safe && repeatable);
    ToolCallVerdict verdict;
    switch (error.kind) {
    case Kind::Refused:
        return isInputError(error, inputErrors) ? failed(Evidence::None, false)
                                                : failed(Evidence::Failure, again);
    // What was not written yet when its time was over may still be written.
    case Kind::Timeout:
    case Kind::InvalidAnswer:
        return failed(Evidence::Failure, again);
    case Kind::Lost:
    case Kind::NotReady:
        verdict = failed(Evidence::None, again || !error.wasWritten);
        verdict.serverGone = true;
        return verdict;
    case Kind::Busy:
        return failed(Evidence::None, again || !error.wasWritten);
    case Kind::Cancelled:
        break;
    }
    return failed(Evidence::None, false);
}

ToolCallFailure failureOf(const ToolResult &result)
{
    if (result.error)
        return {toText(result.error->kind), result.error->message.left(longestMessage)};
    if (result.isError())
        return {QStringLiteral("ToolError"), result.text().left(longestMessage)};
    return {};
}

} // namespace Rekindle

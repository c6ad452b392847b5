// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/process/exitcodetable.h>

namespace Rekindle {

namespace {

using Rows = QHash<int, ExitCodeTable::Meaning>;

// Shared by all tables until one of them is changed.
const Rows &defaultRows()
{
    static const Rows rows{
        {69, {.reason = FailureReason::DependencyFailure}},     // EX_UNAVAILABLE
        {75, {.reason = FailureReason::DependencyFailure}},     // EX_TEMPFAIL
        {78, {FailureReason::InitializationFailed, true}},      // EX_CONFIG
        {126, {.reason = FailureReason::InitializationFailed}}, // found, not executable
        {127, {.reason = FailureReason::InitializationFailed}}, // not found
    };
    return rows;
}

} // namespace

ExitCodeTable::ExitCodeTable()
    : m_rows(defaultRows())
{
}

bool ExitCodeTable::insert(int code, const Meaning &meaning)
{
    if (code < 1 || code > 255)
        return false;
    m_rows.insert(code, meaning);
    return true;
}

ExitCodeTable::Meaning ExitCodeTable::meaning(int code) const { return m_rows.value(code); }

bool ExitCodeTable::isRestartRequest(int code) const
{
    return code == restartRequested && !m_rows.contains(code);
}

QStringList ExitCodeTable::dependencies() const
{
    QStringList names;
    for (const Meaning &row : m_rows) {
        if (!row.dependency.isEmpty())
            names.append(row.dependency);
    }
    names.sort();
    names.removeDuplicates();
    return names;
}

void ExitCodeTable::Meaning::addTo(Failure &failure) const
{
    failure.reason = reason;
    failure.detail.permanent = permanent;
    failure.detail.dependency = dependency;
}

} // namespace Rekindle

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
        {69, {FailureReason::DependencyFailure, false}},     // EX_UNAVAILABLE
        {75, {FailureReason::DependencyFailure, false}},     // EX_TEMPFAIL
        {78, {FailureReason::InitializationFailed, true}},   // EX_CONFIG
        {126, {FailureReason::InitializationFailed, false}}, // found, not executable
        {127, {FailureReason::InitializationFailed, false}}, // not found
    };
    return rows;
}

} // namespace

ExitCodeTable::ExitCodeTable()
    : m_rows(defaultRows())
{
}

bool ExitCodeTable::insert(int code, Meaning meaning)
{
    if (code < 1 || code > 255 || code == restartRequested)
        return false;
    m_rows.insert(code, meaning);
    return true;
}

ExitCodeTable::Meaning ExitCodeTable::meaning(int code) const { return m_rows.value(code); }

} // namespace Rekindle

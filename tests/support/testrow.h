// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QTest>

namespace Rekindle {

/// Adds a row to the data of a test: its name and the value of each column. A string literal is the
/// value of a column of type QString.
template<typename... Values>
void row(const char *name, const Values &...values)
{
    (QTest::newRow(name) << ... << values);
}

} // namespace Rekindle

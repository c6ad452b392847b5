// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QDebug>

namespace Rekindle {

/// The text that qDebug() prints for a value. A value of an enum without a meta-object does not
/// compile.
template<typename Value>
[[nodiscard]] QString debugText(const Value &value)
{
    QString text;
    QDebug(&text).nospace() << value;
    return text;
}

} // namespace Rekindle

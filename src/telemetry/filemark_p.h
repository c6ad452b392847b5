// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include <optional>

namespace Rekindle {

/// What a file is known by, whatever its name.
struct FileMark
{
    quint64 device = 0;
    quint64 number = 0;

    bool operator==(const FileMark &) const = default;
};

/// Nothing where there is no file, or where that cannot be found out.
[[nodiscard]] std::optional<FileMark> markOf(const QString &path);

/// Whether `path` still leads to that file; also where that cannot be found out.
[[nodiscard]] bool isStill(const FileMark &mark, const QString &path);

} // namespace Rekindle

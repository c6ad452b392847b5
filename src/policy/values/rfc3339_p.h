// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/timepoint.h>

#include <array>

namespace Rekindle {

/// The digits of toRfc3339(), without a string being made of them.
class Rfc3339
{
public:
    explicit Rfc3339(UtcTime time);

    [[nodiscard]] const char *data() const { return m_text.data(); }
    /// 0 for a year outside of 1 to 9999, which the format cannot tell.
    [[nodiscard]] qsizetype size() const { return m_size; }

private:
    std::array<char, 24> m_text{};
    qsizetype m_size = 0;
};

} // namespace Rekindle

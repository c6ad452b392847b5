// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/policy/timepoint.h>

#include <array>

namespace Rekindle {

/// The text of toRfc3339() without an allocation.
class Rfc3339
{
public:
    explicit Rfc3339(UtcTime time);

    [[nodiscard]] const char *data() const { return m_text.data(); }
    /// 0 for a year outside of 1 to 9999, which the format cannot express.
    [[nodiscard]] qsizetype size() const { return m_size; }

private:
    std::array<char, 24> m_text{};
    qsizetype m_size = 0;
};

} // namespace Rekindle

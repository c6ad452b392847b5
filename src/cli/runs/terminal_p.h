// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <termios.h>

#include <optional>

namespace Rekindle {

/// The terminal on stdout while something live is shown there: no cursor, no echo of keys. Gives
/// it back as it was when destroyed.
class Terminal
{
public:
    /// Whether stdout is a terminal that can move its cursor.
    [[nodiscard]] static bool isLive();

    /// Whether stdout, or any other descriptor, is a terminal.
    [[nodiscard]] static bool isTerminal(int descriptor);

    /// Whether people want colours (NO_COLOR says no).
    [[nodiscard]] static bool wantsColour();

    struct Size
    {
        int columns = 80;
        int rows = 24;
    };
    [[nodiscard]] static Size size();

    Terminal();
    ~Terminal();
    Terminal(const Terminal &) = delete;
    Terminal &operator=(const Terminal &) = delete;

    void take();
    void giveBack();

private:
    std::optional<termios> m_before; ///< while it is taken
};

} // namespace Rekindle

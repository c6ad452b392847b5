// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/widgets/statecolors.h>

#include <QPalette>
#include <QTransform>

#include <array>

namespace Rekindle {

namespace {

/// In the order of InstanceState; the last one is for an unknown state.
using Colors = std::array<QRgb, instanceStateCount + 1>;
constexpr Colors lightColors = {0x555555, 0x0077BB, 0x228833, 0x997700, 0xEE7733, 0x33BBEE,
                                0x332288, 0xAA3377, 0xCC3311, 0x882255, 0x777777};
constexpr Colors darkColors = {0xBBBBBB, 0x77AADD, 0x44BB99, 0xEEDD88, 0xEE8866, 0x99DDFF,
                               0xAAAA00, 0xFFAABB, 0xEE6677, 0xCC99BB, 0x777777};

} // namespace

StateColors::StateColors(Scheme scheme, const QPalette &palette)
    : m_isDark(scheme == Scheme::Dark
               || (scheme == Scheme::Automatic
                   && palette.color(QPalette::Base).lightness()
                       < palette.color(QPalette::Text).lightness()))
{
}

QColor StateColors::color(std::optional<InstanceState> state) const
{
    const Colors &colors = m_isDark ? darkColors : lightColors;
    const std::size_t number =
        state ? static_cast<std::size_t>(*state) : std::size_t{instanceStateCount};
    return QColor(colors[number]);
}

QPainterPath StateColors::glyph(std::optional<InstanceState> state, const QRectF &square)
{
    QPainterPath path;
    path.addEllipse(square);
    Q_UNUSED(state)
    return path;
}

} // namespace Rekindle

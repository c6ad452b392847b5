// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/gui/export.h>
#include <rekindle/policy/enums.h>

#include <QColor>
#include <QIcon>
#include <QMetaType>
#include <QPainterPath>

#include <optional>

class QPalette;

namespace Rekindle {

/// The color and the shape of each state, for light and for dark backgrounds. A state without a
/// value is that of an agent whose state is unknown: its host is unavailable or newer.
///
/// The colors are from the palettes of Paul Tol. Each has a contrast of at least 3:1 to the
/// background, and each two of them are distinct with deuteranopia. Nevertheless, show the
/// shape or the text of the state, too. A value; reentrant.
class REKINDLE_GUI_EXPORT StateColors
{
    Q_GADGET

public:
    enum class Scheme {
        Automatic, ///< Light or Dark, depending on the palette
        Light,     ///< for light backgrounds
        Dark,      ///< for dark backgrounds
    };
    Q_ENUM(Scheme)

    /// The palette is that of the widget or item.
    StateColors(Scheme scheme, const QPalette &palette);

    [[nodiscard]] bool isDark() const { return m_isDark; }
    [[nodiscard]] QColor color(std::optional<InstanceState> state) const;

    /// Returns the shape in the color of the state; in a selected row, in the color of its text.
    /// The icon is sharp in every size and device pixel ratio.
    [[nodiscard]] QIcon icon(std::optional<InstanceState> state) const;

    /// Returns the outline of the shape of a state, to be filled, in this square. No two states
    /// have the same shape.
    [[nodiscard]] static QPainterPath glyph(std::optional<InstanceState> state,
                                            const QRectF &square);

private:
    bool m_isDark;
    QColor m_selectedText;
};

} // namespace Rekindle

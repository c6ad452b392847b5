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

/// Returns the color and the shape of each state, for light and for dark backgrounds. An empty
/// state means that the state is unknown, because the host is unavailable or newer.
///
/// The colors are from the palettes of Paul Tol. Each has a contrast of at least 3:1 to the
/// background, and any two of them can be distinguished with deuteranopia. Nevertheless, also show
/// the shape or the text of the state. A value; reentrant.
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
    /// The icon is sharp at every size and device pixel ratio.
    [[nodiscard]] QIcon icon(std::optional<InstanceState> state) const;

    /// Returns the shape of a state as a path to fill, within `square`. No two states have the same
    /// shape.
    [[nodiscard]] static QPainterPath glyph(std::optional<InstanceState> state,
                                            const QRectF &square);

private:
    bool m_isDark;
    QColor m_selectedText;
};

} // namespace Rekindle

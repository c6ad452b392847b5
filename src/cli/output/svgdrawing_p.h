// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QString>

namespace Rekindle {

/// Writes an SVG image with a white background. Coordinates are pixels from the top left corner,
/// colors such as "#c62828".
class SvgDrawing
{
public:
    SvgDrawing(int width, int height);

    void rectangle(double x, double y, double width, double height, const char *color);
    void line(double x1, double y1, double x2, double y2, const char *color,
              const char *dash = "none");
    /// `y` is the base line; `anchor` is "start", "middle" or "end".
    void text(double x, double y, const char *anchor, int size, const char *color,
              const QString &content);

    /// Returns the whole image.
    [[nodiscard]] QByteArray finish();

private:
    QString m_svg;
};

} // namespace Rekindle

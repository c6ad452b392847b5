// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "svgdrawing_p.h"

#include "base/text/terminaltext_p.h"

namespace Rekindle {

SvgDrawing::SvgDrawing(int width, int height)
    : m_svg(QStringLiteral("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                           "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%1\" "
                           "height=\"%2\" viewBox=\"0 0 %1 %2\" font-family=\"sans-serif\">\n")
                .arg(width)
                .arg(height))
{
    rectangle(0, 0, width, height, "#ffffff");
}

void SvgDrawing::rectangle(double x, double y, double width, double height, const char *color)
{
    m_svg += QStringLiteral("    <rect x=\"%1\" y=\"%2\" width=\"%3\" height=\"%4\" "
                            "fill=\"%5\"/>\n")
                 .arg(x)
                 .arg(y)
                 .arg(width)
                 .arg(height)
                 .arg(QLatin1String(color));
}

void SvgDrawing::line(double x1, double y1, double x2, double y2, const char *color,
                      const char *dash)
{
    m_svg += QStringLiteral("    <line x1=\"%1\" y1=\"%2\" x2=\"%3\" y2=\"%4\" stroke=\"%5\" "
                            "stroke-width=\"2\" stroke-dasharray=\"%6\"/>\n")
                 .arg(x1)
                 .arg(y1)
                 .arg(x2)
                 .arg(y2)
                 .arg(QLatin1String(color), QLatin1String(dash));
}

void SvgDrawing::text(double x, double y, const char *anchor, int size, const char *color,
                      const QString &content)
{
    m_svg += QStringLiteral("    <text x=\"%1\" y=\"%2\" text-anchor=\"%3\" font-size=\"%4\" "
                            "fill=\"%5\">%6</text>\n")
                 .arg(x)
                 .arg(y)
                 .arg(QLatin1String(anchor))
                 .arg(size)
                 .arg(QLatin1String(color), foreignText(content).toHtmlEscaped());
}

QByteArray SvgDrawing::finish() { return (m_svg + QLatin1String("</svg>\n")).toUtf8(); }

} // namespace Rekindle

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "plansvg_p.h"

#include <algorithm>

namespace Rekindle {

namespace {

constexpr int left = 70;
constexpr int top = 60;
constexpr int plotHeight = 260;
constexpr int columnWidth = 28;
constexpr int slot = 56;
constexpr int footer = 70;
constexpr int leastWidth = 480;

class Drawing
{
public:
    explicit Drawing(const RestartPlan &plan)
        : m_plan(plan)
        , m_width(std::max(leastWidth, 2 * left + static_cast<int>(plan.steps.size()) * slot))
    {
        for (const RestartPlan::Step &step : plan.steps)
            m_longest = std::max({m_longest, step.band.greatest, barDelay(step)});
    }

    QByteArray draw()
    {
        m_svg = QStringLiteral("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%1\" "
                               "height=\"%2\" viewBox=\"0 0 %1 %2\" font-family=\"sans-serif\">\n")
                    .arg(m_width)
                    .arg(imageHeight);
        rectangle(0, 0, m_width, imageHeight, "#ffffff");
        text(left, 28, "start", 16, "#222222",
             QStringLiteral("Restart policy %1").arg(m_plan.name));
        axis();
        double center = left + slot / 2.0;
        for (const RestartPlan::Step &each : m_plan.steps) {
            step(each, center);
            center += slot;
        }
        text(left, imageHeight - 14, "start", 12, "#222222", m_plan.endText());
        return (m_svg + QLatin1String("</svg>\n")).toUtf8();
    }

private:
    static constexpr int imageHeight = top + plotHeight + footer;

    // The time of an open breaker would make the delays invisible.
    static Duration barDelay(const RestartPlan::Step &step)
    {
        return step.kind == RestartPlan::Step::Kind::Restart ? step.delay : Duration{0};
    }

    [[nodiscard]] double heightOf(Duration duration) const
    {
        if (m_longest == Duration{0})
            return 0;
        return plotHeight * static_cast<double>(duration.count())
            / static_cast<double>(m_longest.count());
    }

    void rectangle(double x, double y, double width, double height, const char *color)
    {
        m_svg += QStringLiteral("    <rect x=\"%1\" y=\"%2\" width=\"%3\" height=\"%4\" "
                                "fill=\"%5\"/>\n")
                     .arg(x)
                     .arg(y)
                     .arg(width)
                     .arg(height)
                     .arg(QLatin1String(color));
    }

    void line(double x1, double y1, double x2, double y2, const char *color, const char *dash)
    {
        m_svg += QStringLiteral("    <line x1=\"%1\" y1=\"%2\" x2=\"%3\" y2=\"%4\" stroke=\"%5\" "
                                "stroke-width=\"2\" stroke-dasharray=\"%6\"/>\n")
                     .arg(x1)
                     .arg(y1)
                     .arg(x2)
                     .arg(y2)
                     .arg(QLatin1String(color), QLatin1String(dash));
    }

    void text(double x, double y, const char *anchor, int size, const char *color,
              const QString &content)
    {
        m_svg += QStringLiteral("    <text x=\"%1\" y=\"%2\" text-anchor=\"%3\" font-size=\"%4\" "
                                "fill=\"%5\">%6</text>\n")
                     .arg(x)
                     .arg(y)
                     .arg(QLatin1String(anchor))
                     .arg(size)
                     .arg(QLatin1String(color), content.toHtmlEscaped());
    }

    void axis()
    {
        constexpr double ground = top + plotHeight;
        line(left, ground, m_width - left, ground, "#222222", "none");
        text(left - 8, top + 4, "end", 12, "#222222", readable(m_longest));
        text(left - 8, ground + 4, "end", 12, "#222222", QStringLiteral("0"));
        text(left - 8, ground + 18, "end", 12, "#222222", QStringLiteral("attempt"));
        text(left - 8, ground + 34, "end", 12, "#666666", QStringLiteral("after"));
    }

    void step(const RestartPlan::Step &step, double x)
    {
        constexpr double ground = top + plotHeight;
        if (step.kind == RestartPlan::Step::Kind::BreakerOpens) {
            line(x, top, x, ground, "#c62828", "6 4");
            text(x, top - 8, "middle", 12, "#c62828",
                 QStringLiteral("open for %1").arg(readable(step.delay)));
            return;
        }
        const bool isTrial = step.kind == RestartPlan::Step::Kind::Trial;
        if (isTrial) {
            text(x, ground - 8, "middle", 12, "#c62828", QStringLiteral("trial"));
        } else {
            const double greatest = heightOf(step.band.greatest);
            const double least = heightOf(step.band.least);
            rectangle(x - columnWidth / 2.0, ground - greatest, columnWidth, greatest - least,
                      "#90caf9");
            rectangle(x - columnWidth / 2.0, ground - least, columnWidth, least, "#1565c0");
            text(x, ground - greatest - 6, "middle", 12, "#222222", readable(step.delay));
        }
        text(x, ground + 18, "middle", 12, "#222222", QString::number(step.attempt));
        text(x, ground + 34, "middle", 11, "#666666", readable(step.elapsed));
    }

    const RestartPlan &m_plan;
    QString m_svg;
    int m_width;
    Duration m_longest{0};
};

} // namespace

QByteArray planSvg(const RestartPlan &plan) { return Drawing(plan).draw(); }

} // namespace Rekindle

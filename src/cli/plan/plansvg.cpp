// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "plansvg_p.h"

#include "cli/output/svgdrawing_p.h"

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
        , m_svg(m_width, imageHeight)
    {
        for (const RestartPlan::Step &step : plan.steps)
            m_longest = std::max({m_longest, step.band.greatest, barDelay(step)});
    }

    QByteArray draw()
    {
        m_svg.text(left, 28, "start", 16, "#222222",
                   QStringLiteral("Restart policy %1").arg(m_plan.name));
        axis();
        double center = left + slot / 2.0;
        for (const RestartPlan::Step &each : m_plan.steps) {
            step(each, center);
            center += slot;
        }
        m_svg.text(left, imageHeight - 14, "start", 12, "#222222", m_plan.endText());
        return m_svg.finish();
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

    void axis()
    {
        constexpr double ground = top + plotHeight;
        m_svg.line(left, ground, m_width - left, ground, "#222222", "none");
        m_svg.text(left - 8, top + 4, "end", 12, "#222222", readable(m_longest));
        m_svg.text(left - 8, ground + 4, "end", 12, "#222222", QStringLiteral("0"));
        m_svg.text(left - 8, ground + 18, "end", 12, "#222222", QStringLiteral("attempt"));
        m_svg.text(left - 8, ground + 34, "end", 12, "#666666", QStringLiteral("after"));
    }

    void step(const RestartPlan::Step &step, double x)
    {
        constexpr double ground = top + plotHeight;
        if (step.kind == RestartPlan::Step::Kind::BreakerOpens) {
            m_svg.line(x, top, x, ground, "#c62828", "6 4");
            m_svg.text(x, top - 8, "middle", 12, "#c62828",
                       QStringLiteral("open for %1").arg(readable(step.delay)));
            return;
        }
        const bool isTrial = step.kind == RestartPlan::Step::Kind::Trial;
        if (isTrial) {
            m_svg.text(x, ground - 8, "middle", 12, "#c62828", QStringLiteral("trial"));
        } else {
            const double greatest = heightOf(step.band.greatest);
            const double least = heightOf(step.band.least);
            m_svg.rectangle(x - columnWidth / 2.0, ground - greatest, columnWidth, greatest - least,
                            "#90caf9");
            m_svg.rectangle(x - columnWidth / 2.0, ground - least, columnWidth, least, "#1565c0");
            m_svg.text(x, ground - greatest - 6, "middle", 12, "#222222", readable(step.delay));
        }
        m_svg.text(x, ground + 18, "middle", 12, "#222222", QString::number(step.attempt));
        m_svg.text(x, ground + 34, "middle", 11, "#666666", readable(step.elapsed));
    }

    const RestartPlan &m_plan;
    const int m_width;
    SvgDrawing m_svg;
    Duration m_longest{0};
};

} // namespace

QByteArray planSvg(const RestartPlan &plan) { return Drawing(plan).draw(); }

} // namespace Rekindle

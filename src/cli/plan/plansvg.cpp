// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "plansvg_p.h"

#include "cli/output/texthelpers_p.h"

#include <QXmlStreamWriter>

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace Rekindle {

namespace {

constexpr int left = 70;
constexpr int top = 60;
constexpr int plotHeight = 260;
constexpr int barWidth = 28;
constexpr int slot = 56;
constexpr int footer = 70;
constexpr int leastWidth = 480;

class Drawing
{
public:
    explicit Drawing(const Plan &plan)
        : m_plan(plan)
        , m_xml(&m_bytes)
        , m_width(std::max(leastWidth, 2 * left + static_cast<int>(plan.steps.size()) * slot))
    {
        for (const PlanStep &step : plan.steps)
            m_longest = std::max({m_longest, step.band.greatest, barDelay(step)});
    }

    QByteArray draw()
    {
        m_xml.setAutoFormatting(true);
        m_xml.writeStartDocument();
        m_xml.writeStartElement(QStringLiteral("svg"));
        m_xml.writeDefaultNamespace(QStringLiteral("http://www.w3.org/2000/svg"));
        m_xml.writeAttribute(QStringLiteral("width"), number(m_width));
        m_xml.writeAttribute(QStringLiteral("height"), number(imageHeight));
        m_xml.writeAttribute(QStringLiteral("viewBox"),
                             QStringLiteral("0 0 %1 %2").arg(m_width).arg(imageHeight));
        m_xml.writeAttribute(QStringLiteral("font-family"), QStringLiteral("sans-serif"));
        rectangle(0, 0, m_width, imageHeight, "#ffffff");
        text(left, 28, "start", 16, "#222222",
             QStringLiteral("Restart policy %1").arg(m_plan.name));
        axis();
        double center = left + slot / 2.0;
        for (const PlanStep &each : m_plan.steps) {
            step(each, center);
            center += slot;
        }
        text(left, imageHeight - 14, "start", 12, "#222222", planEnd(m_plan));
        m_xml.writeEndElement();
        m_xml.writeEndDocument();
        return m_bytes;
    }

private:
    static constexpr int imageHeight = top + plotHeight + footer;

    static QString number(double value) { return QString::number(value); }

    // The time of an open breaker would make the delays invisible.
    static Duration barDelay(const PlanStep &step)
    {
        return step.kind == PlanStep::Kind::Restart ? step.delay : Duration{0};
    }

    [[nodiscard]] double heightOf(Duration duration) const
    {
        if (m_longest == Duration{0})
            return 0;
        return plotHeight * static_cast<double>(duration.count())
            / static_cast<double>(m_longest.count());
    }

    void element(const char *name,
                 std::initializer_list<std::pair<const char *, QString>> attributes,
                 const QString &content = {})
    {
        m_xml.writeStartElement(QLatin1String(name));
        for (const auto &[attribute, value] : attributes)
            m_xml.writeAttribute(QLatin1String(attribute), value);
        if (!content.isEmpty())
            m_xml.writeCharacters(content);
        m_xml.writeEndElement();
    }

    void rectangle(double x, double y, double width, double height, const char *color)
    {
        element("rect",
                {{"x", number(x)},
                 {"y", number(y)},
                 {"width", number(width)},
                 {"height", number(height)},
                 {"fill", QLatin1String(color)}});
    }

    void line(double x1, double y1, double x2, double y2, const char *color, const char *dash)
    {
        element("line",
                {{"x1", number(x1)},
                 {"y1", number(y1)},
                 {"x2", number(x2)},
                 {"y2", number(y2)},
                 {"stroke", QLatin1String(color)},
                 {"stroke-width", number(2)},
                 {"stroke-dasharray", QLatin1String(dash)}});
    }

    void text(double x, double y, const char *anchor, int size, const char *color,
              const QString &content)
    {
        element("text",
                {{"x", number(x)},
                 {"y", number(y)},
                 {"text-anchor", QLatin1String(anchor)},
                 {"font-size", number(size)},
                 {"fill", QLatin1String(color)}},
                content);
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

    void step(const PlanStep &step, double x)
    {
        constexpr double ground = top + plotHeight;
        if (step.kind == PlanStep::Kind::BreakerOpens) {
            line(x, top, x, ground, "#c62828", "6 4");
            text(x, top - 8, "middle", 12, "#c62828",
                 QStringLiteral("open for %1").arg(readable(step.delay)));
            return;
        }
        const bool isProbe = step.kind == PlanStep::Kind::Probe;
        if (isProbe) {
            text(x, ground - 8, "middle", 12, "#c62828", QStringLiteral("trial"));
        } else {
            const double greatest = heightOf(step.band.greatest);
            const double least = heightOf(step.band.least);
            rectangle(x - barWidth / 2.0, ground - greatest, barWidth, greatest - least, "#90caf9");
            rectangle(x - barWidth / 2.0, ground - least, barWidth, least, "#1565c0");
            text(x, ground - greatest - 6, "middle", 12, "#222222", readable(step.delay));
        }
        text(x, ground + 18, "middle", 12, "#222222", QString::number(step.attempt));
        text(x, ground + 34, "middle", 11, "#666666", readable(step.elapsed));
    }

    const Plan &m_plan;
    QByteArray m_bytes;
    QXmlStreamWriter m_xml;
    int m_width;
    Duration m_longest{0};
};

} // namespace

QByteArray planSvg(const Plan &plan) { return Drawing(plan).draw(); }

} // namespace Rekindle

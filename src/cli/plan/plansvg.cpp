// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/output/texthelpers_p.h"
#include "plan_p.h"

#include <QXmlStreamWriter>

#include <algorithm>

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
        , m_width(std::max<qsizetype>(leastWidth, 2 * left + plan.steps.size() * slot))
    {
        for (const PlanStep &step : plan.steps)
            m_longest = std::max(m_longest, std::max(step.band.greatest, barDelay(step)));
    }

    QByteArray draw()
    {
        m_xml.setAutoFormatting(true);
        m_xml.writeStartDocument();
        m_xml.writeStartElement(QStringLiteral("svg"));
        m_xml.writeDefaultNamespace(QStringLiteral("http://www.w3.org/2000/svg"));
        attribute("width", m_width);
        attribute("height", height());
        m_xml.writeAttribute(QStringLiteral("viewBox"),
                             QStringLiteral("0 0 %1 %2").arg(m_width).arg(height()));
        m_xml.writeAttribute(QStringLiteral("font-family"), QStringLiteral("sans-serif"));
        rectangle(0, 0, m_width, height(), "#ffffff");
        text(left, 28, "start", 16, "#222222",
             QStringLiteral("Restart policy %1").arg(m_plan.name));
        axis();
        for (qsizetype i = 0; i < m_plan.steps.size(); ++i)
            step(m_plan.steps[i], left + i * slot + slot / 2);
        text(left, height() - 14, "start", 12, "#222222", planEnd(m_plan));
        m_xml.writeEndElement();
        m_xml.writeEndDocument();
        return m_bytes;
    }

private:
    static qsizetype height() { return top + plotHeight + footer; }

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

    void attribute(const char *name, double value)
    {
        m_xml.writeAttribute(QLatin1String(name), QString::number(value));
    }
    void attribute(const char *name, qsizetype value)
    {
        m_xml.writeAttribute(QLatin1String(name), QString::number(value));
    }

    void rectangle(double x, double y, double width, double rectHeight, const char *color)
    {
        m_xml.writeStartElement(QStringLiteral("rect"));
        attribute("x", x);
        attribute("y", y);
        attribute("width", width);
        attribute("height", rectHeight);
        m_xml.writeAttribute(QStringLiteral("fill"), QLatin1String(color));
        m_xml.writeEndElement();
    }

    void line(double x1, double y1, double x2, double y2, const char *color, const char *dash)
    {
        m_xml.writeStartElement(QStringLiteral("line"));
        attribute("x1", x1);
        attribute("y1", y1);
        attribute("x2", x2);
        attribute("y2", y2);
        m_xml.writeAttribute(QStringLiteral("stroke"), QLatin1String(color));
        m_xml.writeAttribute(QStringLiteral("stroke-width"), QStringLiteral("2"));
        m_xml.writeAttribute(QStringLiteral("stroke-dasharray"), QLatin1String(dash));
        m_xml.writeEndElement();
    }

    void text(double x, double y, const char *anchor, int size, const char *color,
              const QString &content)
    {
        m_xml.writeStartElement(QStringLiteral("text"));
        attribute("x", x);
        attribute("y", y);
        m_xml.writeAttribute(QStringLiteral("text-anchor"), QLatin1String(anchor));
        attribute("font-size", static_cast<qsizetype>(size));
        m_xml.writeAttribute(QStringLiteral("fill"), QLatin1String(color));
        m_xml.writeCharacters(content);
        m_xml.writeEndElement();
    }

    void axis()
    {
        constexpr double ground = top + plotHeight;
        line(left, ground, static_cast<double>(m_width - left), ground, "#222222", "none");
        text(left - 8, top + 4, "end", 12, "#222222", readable(m_longest));
        text(left - 8, ground + 4, "end", 12, "#222222", QStringLiteral("0"));
        text(left - 8, ground + 18, "end", 12, "#222222", QStringLiteral("attempt"));
        text(left - 8, ground + 34, "end", 12, "#666666", QStringLiteral("after"));
    }

    void step(const PlanStep &step, qsizetype center)
    {
        constexpr double ground = top + plotHeight;
        const auto x = static_cast<double>(center);
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
    qsizetype m_width;
    Duration m_longest{0};
};

} // namespace

QByteArray planSvg(const Plan &plan) { return Drawing(plan).draw(); }

} // namespace Rekindle

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/simulation/simulationexpectation.h>

#include "json/jsonnode.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <optional>

namespace Rekindle {

namespace {

std::optional<double> numberOf(const QString &text)
{
    if (const std::optional<Duration> duration = durationFromString(text))
        return std::chrono::duration<double>(*duration).count();
    bool isNumber = false;
    const double number = text.toDouble(&isNumber);
    return isNumber && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

} // namespace

Parsed<SimulationExpectation> SimulationExpectation::parse(const QString &text)
{
    static const QRegularExpression form(
        QStringLiteral(R"(^\s*([^\s<>=!]*)\s*([^\s\w.+-]*)\s*(.*?)\s*$)"));
    static const QStringList operators = QStringLiteral("< <= > >= == !=").split(u' ');
    const QRegularExpressionMatch match = form.match(text);
    Parsed<SimulationExpectation> result;
    const auto require = [&](bool isValid, int part, const QString &expected) {
        if (isValid || !result.faults.isEmpty())
            return;
        const int at = std::max(0, static_cast<int>(match.capturedStart(part)));
        const QString found = text.mid(at).trimmed();
        result.faults.append({.message = QStringLiteral("expected %1, found %2")
                                             .arg(expected,
                                                  found.isEmpty() ? QStringLiteral("nothing")
                                                                  : u'"' + printable(found) + u'"'),
                              .line = 1,
                              .column = at + 1});
    };
    const qsizetype comparison = operators.indexOf(match.captured(2));
    const std::optional<double> value = numberOf(match.captured(3));
    require(!match.captured(1).isEmpty(), 1,
            QStringLiteral("a comparison such as \"web.up >= 99.5\""));
    require(comparison >= 0, 2, QStringLiteral("one of <, <=, >, >=, == and !="));
    require(value.has_value(), 3, QStringLiteral("a number, or a duration such as \"30s\""));
    if (!result.faults.isEmpty())
        return result;
    SimulationExpectation expectation;
    expectation.m_figure = match.captured(1);
    expectation.m_comparison = static_cast<Comparison>(comparison);
    expectation.m_value = *value;
    expectation.m_isTime = durationFromString(match.captured(3)).has_value();
    result.value = expectation;
    return result;
}

bool SimulationExpectation::isMetBy(double value) const
{
    switch (m_comparison) {
    case Comparison::Less:
        return value < m_value;
    case Comparison::LessOrEqual:
        return value <= m_value;
    case Comparison::Greater:
        return value > m_value;
    case Comparison::GreaterOrEqual:
        return value >= m_value;
    case Comparison::Equal:
        return value == m_value;
    case Comparison::NotEqual:
        return value != m_value;
    }
    Q_UNREACHABLE();
}

} // namespace Rekindle

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/simulation/simulationexpectation.h>

#include <QRegularExpression>

#include <cmath>

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

std::optional<SimulationExpectation> SimulationExpectation::of(const QString &text)
{
    static const QRegularExpression form(
        QStringLiteral(R"(^\s*([\w.-]+)\s*(<=|>=|==|!=|<|>)\s*([\w.+-]+)\s*$)"));
    static const QStringList operators = QStringLiteral("< <= > >= == !=").split(u' ');
    const QRegularExpressionMatch match = form.match(text);
    const std::optional<double> value =
        match.hasMatch() ? numberOf(match.captured(3)) : std::nullopt;
    if (!value)
        return std::nullopt;
    SimulationExpectation expectation;
    expectation.m_figure = match.captured(1);
    expectation.m_comparison = static_cast<Comparison>(operators.indexOf(match.captured(2)));
    expectation.m_value = *value;
    return expectation;
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

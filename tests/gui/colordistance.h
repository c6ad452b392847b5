// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QColor>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace Rekindle {

using Triple = std::array<double, 3>;

inline Triple product(const std::array<Triple, 3> &matrix, const Triple &vector)
{
    Triple result{};
    for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t i = 0; i < 3; ++i)
            result[row] += matrix[row][i] * vector[i];
    return result;
}

/// The linear components of an sRGB color.
inline Triple linear(const QColor &color)
{
    const auto expand = [](double c) {
        return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    return {expand(color.redF()), expand(color.greenF()), expand(color.blueF())};
}

/// The contrast of WCAG 2, from 1 to 21.
inline double contrast(const QColor &a, const QColor &b)
{
    const auto luminance = [](const QColor &color) {
        const Triple c = linear(color);
        return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2] + 0.05;
    };
    return std::max(luminance(a), luminance(b)) / std::min(luminance(a), luminance(b));
}

/// Simulates complete deuteranopia (Machado, Oliveira, Fernandes 2009).
inline Triple deuteranopia(const Triple &color)
{
    Triple seen = product({{{0.367322, 0.860646, -0.227968},
                            {0.280085, 0.672501, 0.047413},
                            {-0.011820, 0.042940, 0.968881}}},
                          color);
    for (double &each : seen)
        each = std::clamp(each, 0.0, 1.0);
    return seen;
}

/// CIELAB with the white point D65, of a linear color.
inline Triple lab(const Triple &color)
{
    const Triple xyz = product({{{0.4124564, 0.3575761, 0.1804375},
                                 {0.2126729, 0.7151522, 0.0721750},
                                 {0.0193339, 0.1191920, 0.9503041}}},
                               color);
    const auto f = [](double t) {
        return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116;
    };
    const double y = f(xyz[1]);
    return {116 * y - 16, 500 * (f(xyz[0] / 0.95047) - y), 200 * (y - f(xyz[2] / 1.08883))};
}

namespace ColorDistance {

inline double radians(double degrees) { return degrees * std::numbers::pi / 180; }

inline double hue(double a, double b)
{
    const double degrees = std::atan2(b, a) * 180 / std::numbers::pi;
    return degrees < 0 ? degrees + 360 : degrees;
}

inline double meanHue(double h1, double h2, bool isGray)
{
    const double sum = h1 + h2;
    if (isGray)
        return sum;
    if (std::abs(h1 - h2) <= 180)
        return sum / 2;
    return sum < 360 ? (sum + 360) / 2 : (sum - 360) / 2;
}

} // namespace ColorDistance

/// The color difference CIEDE2000 (Sharma, Wu, Dalal 2005).
inline double ciede2000(const Triple &first, const Triple &second)
{
    using namespace ColorDistance;
    const auto seventh = [](double chroma) {
        return std::sqrt(std::pow(chroma, 7) / (std::pow(chroma, 7) + std::pow(25.0, 7)));
    };
    const double plainMean =
        (std::hypot(first[1], first[2]) + std::hypot(second[1], second[2])) / 2;
    const double stretch = 1 + 0.5 * (1 - seventh(plainMean));
    const double a1 = first[1] * stretch;
    const double a2 = second[1] * stretch;
    const double c1 = std::hypot(a1, first[2]);
    const double c2 = std::hypot(a2, second[2]);
    const double h1 = hue(a1, first[2]);
    const double h2 = hue(a2, second[2]);
    const bool isGray = c1 * c2 == 0;
    const double turn = isGray ? 0 : std::remainder(h2 - h1, 360);
    const double l = (first[0] + second[0]) / 2 - 50;
    const double c = (c1 + c2) / 2;
    const double h = meanHue(h1, h2, isGray);
    const double t = 1 - 0.17 * std::cos(radians(h - 30)) + 0.24 * std::cos(radians(2 * h))
        + 0.32 * std::cos(radians(3 * h + 6)) - 0.20 * std::cos(radians(4 * h - 63));
    const double rotation =
        -2 * seventh(c) * std::sin(radians(60 * std::exp(-std::pow((h - 275) / 25, 2))));
    const double lightness = (second[0] - first[0]) / (1 + 0.015 * l * l / std::sqrt(20 + l * l));
    const double chroma = (c2 - c1) / (1 + 0.045 * c);
    const double hueStep =
        2 * std::sqrt(c1 * c2) * std::sin(radians(turn / 2)) / (1 + 0.015 * c * t);
    return std::sqrt(lightness * lightness + chroma * chroma + hueStep * hueStep
                     + rotation * chroma * hueStep);
}

} // namespace Rekindle

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "colordistance.h"
#include "testprogram.h"
#include "testrow.h"

#include <rekindle/gui/statecolors.h>

#include <QPalette>

using namespace Rekindle;
using Scheme = StateColors::Scheme;

namespace {

/// All states, and the unknown one.
std::vector<std::optional<InstanceState>> shownStates()
{
    std::vector<std::optional<InstanceState>> all{std::nullopt};
    for (const EnumName<InstanceState> &each : instanceStates)
        all.emplace_back(each.value);
    return all;
}

QString textOf(std::optional<InstanceState> state)
{
    return state ? toText(*state) : QStringLiteral("unknown");
}

QPalette paletteOf(const QColor &base, const QColor &text)
{
    QPalette palette;
    palette.setColor(QPalette::Base, base);
    palette.setColor(QPalette::Text, text);
    return palette;
}

} // namespace

class StateColorsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void distanceHasPublishedValues_data();
    void distanceHasPublishedValues();
    void contrastHasPublishedValues();
    void colorsHaveContrast_data();
    void colorsHaveContrast();
    void colorsDiffer_data();
    void colorsDiffer();
    void shapesDiffer();
    void iconFitsAnySize();
    void automaticSchemeFollowsThePalette();
};

// From table 1 of Sharma, Wu, Dalal: The CIEDE2000 Color-Difference Formula (2005).
void StateColorsTest::distanceHasPublishedValues_data()
{
    const Rows<Triple, Triple, double> row("first", "second", "distance");
    row("1", {50, 2.6772, -79.7751}, {50, 0, -82.7485}, 2.0425);
    row("4", {50, -1.3802, -84.2814}, {50, 0, -82.7485}, 1.0000);
    row("7", {50, 0, 0}, {50, -1, 2}, 2.3669);
    row("9", {50, 2.4900, -0.0010}, {50, -2.4900, 0.0009}, 7.1792);
    row("11", {50, 2.4900, -0.0010}, {50, -2.4900, 0.0011}, 7.2195);
    row("13", {50, -0.0010, 2.4900}, {50, 0.0009, -2.4900}, 4.8045);
    row("17", {50, 2.5, 0}, {73, 25, -18}, 27.1492);
    row("19", {50, 2.5, 0}, {56, -27, -3}, 31.9030);
    row("25", {60.2574, -34.0099, 36.2677}, {60.4626, -34.1751, 39.4387}, 1.2644);
    row("28", {35.0831, -44.1164, 3.7933}, {35.0232, -40.0716, 1.5901}, 1.8645);
    row("31", {90.9257, -0.5406, -0.9208}, {88.6381, -0.8985, -0.7239}, 1.5381);
    row("34", {2.0776, 0.0795, -1.1350}, {0.9033, -0.0636, -0.5514}, 0.9082);
}

void StateColorsTest::distanceHasPublishedValues()
{
    QFETCH(Triple, first);
    QFETCH(Triple, second);
    QFETCH(double, distance);
    QVERIFY(std::abs(ciede2000(first, second) - distance) < 0.00005);
    QVERIFY(std::abs(ciede2000(second, first) - distance) < 0.00005);
}

void StateColorsTest::contrastHasPublishedValues()
{
    QCOMPARE(contrast(Qt::white, Qt::black), 21.0);
    // The lightest gray with 4.5:1 on white.
    QVERIFY(std::abs(contrast(QColor(0x767676), Qt::white) - 4.54) < 0.005);
}

void StateColorsTest::colorsHaveContrast_data()
{
    const Rows<Scheme, QColor> row("scheme", "background");
    row("white", Scheme::Light, QColor(0xffffff));
    row("alternate rows", Scheme::Light, QColor(0xf0f0f0));
    row("almost black", Scheme::Dark, QColor(0x1e1e1e));
    row("dark gray", Scheme::Dark, QColor(0x323232));
}

void StateColorsTest::colorsHaveContrast()
{
    QFETCH(Scheme, scheme);
    QFETCH(QColor, background);
    const StateColors colors(scheme, {});
    for (const auto &state : shownStates()) {
        const double value = contrast(colors.color(state), background);
        QVERIFY2(value >= 3, qPrintable(textOf(state) + u' ' + QString::number(value)));
    }
}

void StateColorsTest::colorsDiffer_data()
{
    const Rows<Scheme> row("scheme");
    row("light", Scheme::Light);
    row("dark", Scheme::Dark);
}

void StateColorsTest::colorsDiffer()
{
    QFETCH(Scheme, scheme);
    const StateColors colors(scheme, {});
    const auto states = shownStates();
    for (const auto &a : states) {
        for (const auto &b : states) {
            if (a == b)
                continue;
            const Triple first = linear(colors.color(a));
            const Triple second = linear(colors.color(b));
            const double value =
                std::min(ciede2000(lab(first), lab(second)),
                         ciede2000(lab(deuteranopia(first)), lab(deuteranopia(second))));
            QVERIFY2(value >= 10,
                     qPrintable(textOf(a) + u' ' + textOf(b) + u' ' + QString::number(value)));
        }
    }
}

void StateColorsTest::shapesDiffer()
{
    const QRectF square(10, 20, 16, 16);
    const auto states = shownStates();
    for (const auto &a : states) {
        const QPainterPath shape = StateColors::glyph(a, square);
        QVERIFY(!shape.isEmpty());
        QVERIFY2(square.adjusted(-0.01, -0.01, 0.01, 0.01).contains(shape.boundingRect()),
                 qPrintable(textOf(a)));
        for (const auto &b : states)
            QVERIFY2(a == b || StateColors::glyph(b, square) != shape,
                     qPrintable(textOf(a) + u' ' + textOf(b)));
    }
}

void StateColorsTest::iconFitsAnySize()
{
    const QIcon icon = StateColors(Scheme::Light, {}).icon(InstanceState::Failed);
    QCOMPARE(icon.actualSize({13, 13}), QSize(13, 13));
    QCOMPARE(icon.pixmap(QSize(300, 300)).size(), QSize(300, 300));
}

void StateColorsTest::automaticSchemeFollowsThePalette()
{
    const QPalette light = paletteOf(Qt::white, Qt::black);
    const QPalette dark = paletteOf(Qt::black, Qt::white);
    QVERIFY(!StateColors(Scheme::Automatic, light).isDark());
    QVERIFY(StateColors(Scheme::Automatic, dark).isDark());
    QVERIFY(!StateColors(Scheme::Light, dark).isDark());
    QVERIFY(StateColors(Scheme::Dark, light).isDark());
}

REKINDLE_TEST(StateColorsTest)
#include "statecolorstest.moc"

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "gui/internal/timelinecanvas.h"
#include "stage.h"
#include "testprogram.h"

#include <rekindle/models/localagents.h>

#include <QImage>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QSignalSpy>
#include <QWheelEvent>

using namespace Rekindle;
using std::chrono::seconds;

namespace {

constexpr int timeLimit = 30'000;

/// A canvas of the agents of a stage, without a window: "web" fails at each start, "worker" runs.
class StageCanvas
{
public:
    explicit StageCanvas(double pixelRatio = 1)
    {
        stage.addFailing(QStringLiteral("web"), QStringLiteral("'maxRetries':3"));
        stage.add(QStringLiteral("worker"), {});
        canvas.setSource(&source);
        canvas.setSurface({{800, 400}, pixelRatio, {}, {}, false});
    }

    [[nodiscard]] const TimelineRow &row(int index) const { return canvas.model().row(index); }
    bool press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
    {
        QKeyEvent event(QEvent::KeyPress, key, modifiers);
        return canvas.handle(&event);
    }
    bool press(QEvent::Type type, const QPoint &position, Qt::MouseButton button = Qt::LeftButton)
    {
        QMouseEvent event(type, position, position, button, button, Qt::NoModifier);
        return canvas.handle(&event);
    }
    void turn(const QPoint &position, int angle)
    {
        QWheelEvent event(position, position, {}, {0, angle}, {}, {}, Qt::NoScrollPhase, false);
        QVERIFY(canvas.handle(&event));
    }
    QImage painted()
    {
        const double ratio = canvas.surface().pixelRatio;
        QImage image(canvas.surface().size * ratio, QImage::Format_RGB32);
        image.setDevicePixelRatio(ratio);
        return painted(image, {QPoint(), canvas.surface().size});
    }
    QImage painted(QImage image, const QRect &area)
    {
        QPainter painter(&image);
        canvas.paint(painter, area);
        return image;
    }

    Stage stage;
    LocalAgents source{stage.supervisor};
    TimelineCanvas canvas;
};

} // namespace

class TimelineCanvasTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void layoutFitsTheSurface_data();
    void layoutFitsTheSurface();
    void timesAndPositionsCorrespond();
    void updatesOnlyChangedRows();
    void updatedPictureEqualsNewPicture_data();
    void updatedPictureEqualsNewPicture();
    void paintsRowsWithoutAgentsBelow();
    void labelsOfTheAxisAreNotCut();
    void ignoresEventsWithoutEffect();
    void marksHaveTexts();
    void wheelScrollsRowsOverNames();
    void timeStandsStillWithoutASource();
};

void TimelineCanvasTest::layoutFitsTheSurface_data()
{
    QTest::addColumn<double>("pixelRatio");
    QTest::newRow("100 %") << 1.0;
    QTest::newRow("150 %") << 1.5;
    QTest::newRow("200 %") << 2.0;
}

void TimelineCanvasTest::layoutFitsTheSurface()
{
    QFETCH(const double, pixelRatio);
    const StageCanvas shown(pixelRatio);
    const TimelineCanvas &layout = shown.canvas;
    QCOMPARE(layout.visibleFrame().width, qRound(layout.timeArea().width() * pixelRatio));
    const double deviceRowHeight = layout.rowHeight() * pixelRatio;
    QCOMPARE(deviceRowHeight, std::round(deviceRowHeight));
    QCOMPARE(layout.rowAt(0), -1);
    QCOMPARE(layout.rowAt(layout.rowRect(1).center().y()), 1);
    QVERIFY(QRect(QPoint(), layout.surface().size).contains(layout.timeArea()));
}

void TimelineCanvasTest::timesAndPositionsCorrespond()
{
    const StageCanvas shown;
    const TimelineCanvas &layout = shown.canvas;
    const TimelinePaint::Frame frame = shown.canvas.visibleFrame();
    QCOMPARE(layout.xOf(frame.from), layout.nameWidth());
    for (int x = layout.nameWidth(); x < layout.surface().size.width(); ++x)
        QVERIFY(std::abs(layout.xOf(layout.timeAt(x)) - x) <= 1);
}

void TimelineCanvasTest::updatesOnlyChangedRows()
{
    StageCanvas shown;
    shown.canvas.setFollow(false);
    shown.canvas.setVisible(true);
    QList<QRect> updated;
    connect(&shown.canvas, &TimelineCanvas::updateNeeded, this,
            [&updated](const QRect &area) { updated.append(area); });
    shown.stage.supervisor.start(shown.row(1).instanceId());
    shown.stage.play(QStringLiteral("+1ms"));
    const TimelineCanvas &layout = shown.canvas;
    QTRY_VERIFY_WITH_TIMEOUT(updated.contains(layout.rowRect(1)), timeLimit);
    for (const QRect &each : std::as_const(updated))
        QVERIFY(!each.contains(layout.rowRect(0)));
}

void TimelineCanvasTest::updatedPictureEqualsNewPicture_data() { layoutFitsTheSurface_data(); }

// A picture in which only the areas of updateNeeded() are painted again. An area begins and ends
// at whole device pixels.
void TimelineCanvasTest::updatedPictureEqualsNewPicture()
{
    QFETCH(const double, pixelRatio);
    StageCanvas shown(pixelRatio);
    shown.canvas.setVisible(true);
    QRegion updated;
    connect(&shown.canvas, &TimelineCanvas::updateNeeded, this,
            [&updated](const QRect &area) { updated += area.adjusted(-1, -1, 1, 1); });
    shown.stage.play(QStringLiteral("startAll"));
    QImage image = shown.painted();
    int parts = 0;
    QSignalSpy refreshed(&shown.canvas, &TimelineCanvas::updateNeeded);
    for (int i = 0; i < 12; ++i) {
        updated = {};
        shown.stage.play(QStringLiteral("+300ms"));
        QVERIFY(refreshed.wait(timeLimit));
        const QRect all({}, shown.canvas.surface().size);
        parts += (QRegion(all) - updated).isEmpty() ? 0 : 1;
        const QImage part = shown.painted(image, updated.boundingRect() & all);
        QPainter painter(&image);
        painter.setClipRegion(updated); // as a window does
        painter.drawImage(QPoint(), part);
        painter.end();
        QVERIFY(shown.painted() == image);
    }
    QVERIFY(parts > 0);
}

void TimelineCanvasTest::paintsRowsWithoutAgentsBelow()
{
    StageCanvas shown;
    shown.stage.play(QStringLiteral("startAll +60s"));
    const QImage image = shown.painted();
    const QRect row = shown.canvas.rowRect(1);
    const int x = shown.canvas.xOf(shown.source.utcNow());
    QVERIFY(image.pixel(x - 3, row.center().y()) != image.pixel(x + 3, row.center().y()));
}

void TimelineCanvasTest::labelsOfTheAxisAreNotCut()
{
    StageCanvas shown;
    for (int width = 500; width < 700; width += 3) {
        shown.canvas.setSurface({{width, 100}, 1, {}, {}, false});
        const QImage image = shown.painted();
        const QRgb background = shown.canvas.surface().palette.color(QPalette::Base).rgb();
        for (int y = 0; y < shown.canvas.timeArea().top() - 4; ++y)
            QCOMPARE(image.pixel(width - 1, y), background);
    }
}

void TimelineCanvasTest::ignoresEventsWithoutEffect()
{
    StageCanvas shown;
    QVERIFY(!shown.press(Qt::Key_A));
    QVERIFY(!shown.press(Qt::Key_Tab));
    QVERIFY(!shown.press(QEvent::MouseMove, {400, 100}));
    QVERIFY(!shown.press(QEvent::MouseButtonPress, {400, 100}, Qt::RightButton));
    QVERIFY(shown.press(QEvent::MouseButtonPress, {400, 100}));
    QVERIFY(shown.press(QEvent::MouseMove, {500, 100}));
    QVERIFY(!shown.canvas.model().follow());
    QVERIFY(shown.press(QEvent::MouseButtonRelease, {500, 100}));
    QVERIFY(!shown.press(QEvent::MouseMove, {400, 100}));
}

void TimelineCanvasTest::marksHaveTexts()
{
    StageCanvas shown;
    shown.stage.play(QStringLiteral("start +60s"));
    const TimelineRow::Mark failure = shown.row(0).marks(TimelineRow::MarkKind::Failure)[0];
    const TimelineCanvas &layout = shown.canvas;
    const QPoint position(layout.xOf(failure.at), layout.rowRect(0).center().y());
    const QString text = shown.canvas.toolTip(position);
    QVERIFY2(text.startsWith(QLatin1String("web\n")), qPrintable(text));
    QVERIFY2(text.contains(QLatin1String("more mark")), qPrintable(text));
    QVERIFY(shown.canvas.toolTip({2, position.y()}).startsWith(QLatin1String("web: ")));
    QVERIFY(shown.canvas.toolTip({2, 2}).isEmpty());
    QVERIFY(shown.canvas.description().isEmpty());
    QVERIFY(shown.press(Qt::Key_Left, Qt::ControlModifier));
    QVERIFY(shown.canvas.description().contains(QLatin1String("Selected: ")));
}

void TimelineCanvasTest::wheelScrollsRowsOverNames()
{
    StageCanvas shown;
    for (int i = 0; i < 100; ++i)
        shown.stage.add(QStringLiteral("agent-%1").arg(i), {});
    const auto span = shown.canvas.model().span();
    shown.turn({2, 100}, -120);
    QVERIFY(shown.canvas.firstRow() > 0);
    for (int i = 0; i < 12; ++i) // a touch pad
        shown.turn({2, 100}, 10);
    QCOMPARE(shown.canvas.firstRow(), 0);
    QCOMPARE(shown.canvas.model().span(), span);
    shown.turn({400, 100}, 240);
    QCOMPARE(shown.canvas.model().span(), span / 2);
    shown.canvas.setFirstRow(1000);
    QCOMPARE(shown.canvas.firstRow(), shown.canvas.lastFirstRow());
}

void TimelineCanvasTest::timeStandsStillWithoutASource()
{
    StageCanvas shown;
    shown.canvas.setVisible(true);
    const UtcTime now = shown.canvas.visibleFrame().now;
    QCOMPARE(now, shown.source.utcNow());
    shown.canvas.setSource(nullptr);
    shown.stage.play(QStringLiteral("+1h"));
    QCOMPARE(shown.canvas.visibleFrame().now, now);
    for (const Qt::Key key : {Qt::Key_Down, Qt::Key_Home, Qt::Key_Left, Qt::Key_Return})
        QVERIFY(shown.press(key));
    shown.painted();
}

REKINDLE_TEST(TimelineCanvasTest)
#include "timelinecanvastest.moc"

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "gui/internal/timelinecanvas.h"

#include <rekindle/models/agentsource.h>

#include <QFile>
#include <QGuiApplication>
#include <QImage>
#include <QPainter>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <vector>

// CPU time of painting a timeline of 1600 x 1000 pixels, at several zooms: each frame shows another
// part of the history. "live" follows the current time, with ten events in each frame. Also prints
// the time to add an event, and the growth of the resident memory.
//
//   timelinebench [FRAMES [EVENTS...]]      default: 300 100000 5000000

namespace {

using namespace Rekindle;
using std::chrono::milliseconds;

constexpr int agentCount = 1000;
constexpr milliseconds history = std::chrono::hours(24);

/// Agents that fail and are restarted at random times; a fifth of the events are marks.
class RandomAgents final : public AgentSource
{
public:
    RandomAgents()
        : AgentSource(nullptr)
        , m_steps(agentCount)
    {
        for (int i = 0; i < agentCount; ++i)
            m_ids.append(QUuid::createUuid());
    }

    void emitEvent(UtcTime time)
    {
        m_now = time;
        const auto agent = static_cast<std::size_t>(m_random() % agentCount);
        EventHeader common;
        common.instanceId = m_ids[static_cast<qsizetype>(agent)];
        common.sequence = ++m_sequence;
        common.time = time;
        switch (m_steps[agent]++ % 5) {
        case 0:
            Q_EMIT lifecycleEvent(RestartStarted{common});
            break;
        case 1:
            Q_EMIT lifecycleEvent(AgentReady{common});
            break;
        case 2:
            Q_EMIT lifecycleEvent(AgentStopped{common});
            break;
        case 3:
            Q_EMIT lifecycleEvent(RestartScheduled{common});
            break;
        default:
            Q_EMIT lifecycleEvent(SharedBreakerStateChanged{
                common, {}, CircuitBreakerState::Closed, CircuitBreakerState::Open});
        }
    }

    [[nodiscard]] QString name() const override { return {}; }
    [[nodiscard]] QString fault() const override { return {}; }
    [[nodiscard]] QList<QUuid> ids() const override { return m_ids; }
    [[nodiscard]] std::optional<AgentStatus> agent(const QUuid &id) const override
    {
        AgentStatus status;
        status.agent = QStringLiteral("agent-%1").arg(m_ids.indexOf(id));
        status.state = toText(InstanceState::Stopped);
        return status;
    }
    [[nodiscard]] Instant now() const override { return {}; }
    [[nodiscard]] UtcTime utcNow() const override { return m_now; }
    QFuture<ControlResult<OperationResult>> operate(ControlOperation /*operation*/,
                                                    const QUuid & /*id*/,
                                                    const QString & /*reason*/) override
    {
        return {};
    }
    QFuture<ControlResult<AgentExplanation>> explain(const QUuid & /*id*/) override { return {}; }

private:
    QList<QUuid> m_ids;
    std::vector<unsigned> m_steps; ///< of each agent
    std::mt19937_64 m_random{1};
    quint64 m_sequence = 0;
    UtcTime m_now{};
};

double cpuMilliseconds()
{
    std::timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

double residentMegabytes()
{
    QFile file(QStringLiteral("/proc/self/statm"));
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    return file.readAll().split(' ').value(1).toDouble()
        * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

class Measurement
{
public:
    Measurement(int frames, int events)
        : m_frames(frames)
        , m_events(events)
    {
        m_canvas.setSource(&m_agents);
        m_canvas.setSurface({m_image.size(), 1, {}, {}, false});
    }

    void run()
    {
        const double memory = residentMegabytes();
        const double begin = cpuMilliseconds();
        for (int i = 0; i < m_events; ++i)
            m_agents.emitEvent(UtcTime(history * i / m_events));
        const double added = (cpuMilliseconds() - begin) * 1e6 / m_events;
        std::printf("%d events: %.1f MB, %.0f ns to add one\n", m_events,
                    residentMegabytes() - memory, added);
        for (const int part : {1, 4, 24, 240, 1440, 86'400}) {
            const milliseconds span = history / part;
            m_canvas.model().setSpan(span);
            measure(QStringLiteral("1/%1").arg(part), [this, span] {
                m_from = (m_from + milliseconds(12'345'678)) % (history - span * 7 / 8);
                m_canvas.model().setFrom(UtcTime(m_from));
            });
        }
        m_canvas.setFollow(true);
        m_canvas.model().setSpan(std::chrono::minutes(10));
        measure(QStringLiteral("live"), [this] {
            for (int i = 0; i < 10; ++i)
                m_agents.emitEvent(m_agents.utcNow() + milliseconds(10));
        });
    }

private:
    template<typename Prepare>
    void measure(const QString &zoom, const Prepare &prepare)
    {
        std::vector<double> times;
        for (int i = 0; i < m_frames; ++i) {
            prepare();
            const double begin = cpuMilliseconds();
            m_canvas.model().advance(m_agents.utcNow());
            QPainter painter(&m_image);
            m_canvas.paint(painter, m_image.rect());
            painter.end();
            times.push_back(cpuMilliseconds() - begin);
        }
        std::sort(times.begin(), times.end());
        std::printf("%-8s %8d events, %3d rows: median %6.2f ms, p99 %6.2f ms\n", qPrintable(zoom),
                    m_events, m_canvas.visibleFrame().rowCount, times[times.size() / 2],
                    times[times.size() * 99 / 100]);
        std::fflush(stdout);
    }

    const int m_frames;
    const int m_events;
    RandomAgents m_agents;
    TimelineCanvas m_canvas;
    QImage m_image{1600, 1000, QImage::Format_RGB32};
    milliseconds m_from{};
};

} // namespace

int main(int argc, char **argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QGuiApplication app(argc, argv);
    QStringList arguments = QCoreApplication::arguments().mid(1);
    const int frames = arguments.isEmpty() ? 300 : arguments.takeFirst().toInt();
    if (arguments.isEmpty())
        arguments = {QStringLiteral("100000"), QStringLiteral("5000000")};
    for (const QString &events : std::as_const(arguments))
        Measurement(frames, events.toInt()).run();
    return EXIT_SUCCESS;
}

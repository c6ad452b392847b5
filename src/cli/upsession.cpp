// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "upsession_p.h"

#include "exitcode_p.h"
#include "fortext_p.h"
#include "messages_p.h"
#include "terminal_p.h"

#include <rekindle/process/descriptorlimit.h>
#include <rekindle/process/processagent.h>

#include <QCoreApplication>
#include <QFileInfo>

#include <unistd.h>

#include <csignal>
#include <utility>

namespace Rekindle {

UpSession::UpSession(UpRequest request, Messages &messages)
    : m_request(std::move(request))
    , m_messages(messages)
    , m_live(!m_request.json && m_request.events != QLatin1String("-") && Terminal::isLive())
    , m_supervision(messages)
    , m_lines(
          [this](const QByteArray &line) {
              if (m_table)
                  m_table->addLine(line);
              else
                  m_messages.write(line + '\n');
          },
          m_live || Terminal::isTerminal(STDERR_FILENO))
{
}

UpSession::~UpSession() { m_messages.divertTo({}); }

int UpSession::run(Configuration configuration)
{
    if (!addAgents(std::move(configuration)))
        return ExitCode::configuration;
    if (!openEvents())
        return ExitCode::usage;
    if (!openMetrics())
        return ExitCode::unavailable;
    listen();
    // `run` need not: what its one agent takes is always there.
    DescriptorLimit::raise();
    m_supervision.startAll();
    if (m_live)
        showTable();
    QCoreApplication::exec();
    return finish();
}

// What the agents need they hold; the rest need not lie about for as long as they run.
bool UpSession::addAgents(Configuration configuration)
{
    for (const AgentDefinition &definition : configuration.agents) {
        ProcessAgent *const agent =
            m_supervision.add(definition.name, definition.process, definition.policy);
        if (!agent)
            return false;
        m_lines.add(definition.name, *agent);
    }
    return true;
}

bool UpSession::openEvents()
{
    const bool toFile = !m_request.events.isEmpty() && m_request.events != QLatin1String("-");
    if (m_live && !toFile)
        return true;
    m_events = std::make_unique<EventStream>(m_supervision.evaluator(), m_messages);
    if (!m_live)
        m_events->add(OutputChannel::to(STDOUT_FILENO), QStringLiteral("stdout"));
    return !toFile || m_events->addFile(m_request.events);
}

bool UpSession::openMetrics()
{
    if (!m_request.metrics)
        return true;
    m_metrics = std::make_unique<MetricsEndpoint>(m_supervision.supervisor());
    return m_metrics->listen(*m_request.metrics, m_messages);
}

void UpSession::listen()
{
    if (m_live)
        m_signals.reset(new SignalWatch({SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP}));
    else
        m_signals.reset(new SignalWatch({SIGINT, SIGTERM, SIGHUP}));
    connect(m_signals.get(), &SignalWatch::received, this, &UpSession::onSignal);
    connect(&m_supervision, &Supervision::ended, this, [] { QCoreApplication::exit(); });
    if (m_request.stopAfter) {
        m_stopAfter = std::make_unique<Deadline>(m_supervision.scheduler(), [this] { end(); });
        m_stopAfter->armIn(*m_request.stopAfter);
    }
}

void UpSession::showTable()
{
    m_table = std::make_unique<LiveTable>(
        m_supervision, QStringLiteral("rekindle up %1").arg(QFileInfo(m_request.path).fileName()));
    m_messages.divertTo([this](const QByteArray &line) { m_table->addLine(forTerminal(line)); });
    m_narrator = std::make_unique<Narrator>(m_supervision.evaluator(),
                                            [this](const QString &text) { m_messages.say(text); });
}

void UpSession::onSignal(int number)
{
    switch (number) {
    case SIGWINCH:
        m_table->resized();
        break;
    case SIGTSTP:
        m_table->suspend();
        std::raise(SIGSTOP);
        m_table->resume();
        break;
    default:
        end();
        break;
    }
}

void UpSession::end()
{
    m_supervision.endAll();
    if (m_table)
        m_table->resized();
}

int UpSession::finish()
{
    const AgentTally &tally = m_supervision.tally();
    if (m_table) {
        m_messages.divertTo({});
        m_table->finish();
    }
    if (m_supervision.isEnding() || tally.givenUp() == 0)
        return ExitCode::fine;
    m_messages.say(QStringLiteral("nothing is left to supervise: %1 of %2 agents were given up")
                       .arg(tally.givenUp())
                       .arg(tally.total()));
    return ExitCode::givenUp;
}

} // namespace Rekindle

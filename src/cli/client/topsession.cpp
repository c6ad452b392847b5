// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "topsession_p.h"

#include "cli/output/exitcode_p.h"
#include "cli/output/messages_p.h"
#include "statustext_p.h"

#include <QCoreApplication>

#include <unistd.h>

#include <array>
#include <csignal>
#include <utility>

namespace Rekindle {

namespace {

using namespace std::chrono_literals;

constexpr Duration escapeTime = 50ms;
constexpr int logLines = 200;

// The alternate screen; lines are cut instead of wrapped.
constexpr char enter[] = "\x1b[?1049h\x1b[?7l\x1b[2J";
constexpr char leave[] = "\x1b[?7h\x1b[?1049l";

QString titleOf(const ControlClient &client)
{
    return QStringLiteral("%1 (pid %2)").arg(client.host().name).arg(client.host().processId);
}

QStringList textsOf(const QList<OutputLine> &lines)
{
    QStringList texts;
    for (const OutputLine &each : lines)
        texts.append(each.text);
    return texts;
}

} // namespace

TopSession::TopSession(ControlClient &client, Messages &messages, Duration interval)
    : m_client(client)
    , m_messages(messages)
    , m_interval(interval)
    , m_signals({SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP, SIGCONT})
    , m_input(STDIN_FILENO, QSocketNotifier::Read)
    , m_view(titleOf(client))
    , m_update(m_scheduler, [this] { requestAgents(); })
    , m_redraw(m_scheduler, [this] { draw(); })
    , m_escape(m_scheduler, [this] { press(m_keys.flush()); })
{
    connect(&m_signals, &SignalWatch::received, this, &TopSession::onSignal);
    connect(&m_input, &QSocketNotifier::activated, this, &TopSession::readKeys);
    connect(&m_client, &ControlClient::failed, this, [] { QCoreApplication::exit(); });
    m_messages.divertTo([this](const QByteArray &line) { m_reports += line + '\n'; });
}

TopSession::~TopSession()
{
    m_messages.divertTo({});
    if (!m_reports.isEmpty())
        m_messages.write(m_reports);
}

int TopSession::run()
{
    enterScreen();
    requestAgents();
    QCoreApplication::exec();
    leaveScreen();
    return m_exitCode;
}

// In the background, reading keys would stop the process, and the screen belongs to others.
void TopSession::enterScreen()
{
    const bool wasShown = std::exchange(m_isShown, m_terminal.take());
    m_input.setEnabled(m_isShown);
    if (m_isShown && !wasShown)
        m_terminal.write(enter);
}

void TopSession::leaveScreen()
{
    m_input.setEnabled(false);
    m_terminal.release(std::exchange(m_isShown, false) ? leave : "");
}

void TopSession::requestAgents()
{
    m_update.armIn(m_interval);
    if (m_isRequesting)
        return;
    m_isRequesting = true;
    handle(m_client.listAgents(), [this](const ControlResult<HostStatus> &host) {
        m_isRequesting = false;
        if (host)
            m_view.setHost(host.value);
        else
            m_view.setMessage(host.error->message);
        followSelection();
        draw();
    });
    requestPane();
}

// Until the response arrives, the pane is empty: the lines of another agent would mislead.
void TopSession::openPane(TopView::Request pane)
{
    m_pane = pane;
    m_paneAgent = m_view.selected();
    m_view.setPane(paneTitle(), {});
    requestPane();
}

QString TopSession::paneTitle() const
{
    if (m_paneAgent.isEmpty())
        return QStringLiteral("no agent is selected");
    return m_paneAgent
        + QLatin1String(m_pane == TopView::Request::ShowLogs ? ": output" : ": state");
}

void TopSession::requestPane()
{
    if (m_pane == TopView::Request::None || m_paneAgent.isEmpty())
        return;
    const auto show = [this, agent = m_paneAgent, pane = m_pane](const auto &reply,
                                                                 const auto &linesOf) {
        if (agent != m_paneAgent || pane != m_pane)
            return;
        if (reply)
            m_view.setPane(paneTitle(), linesOf(reply.value));
        else
            m_view.setPane(agent, {reply.error->message});
        draw();
    };
    if (m_pane == TopView::Request::ShowLogs) {
        handle(m_client.readLines(m_paneAgent, logLines),
               [show](const auto &reply) { show(reply, textsOf); });
    } else {
        handle(m_client.request(QStringLiteral("agents.explain"),
                                {{QStringLiteral("agent"), m_paneAgent}}),
               [show](const auto &reply) { show(reply, explanationLines); });
    }
}

void TopSession::readKeys()
{
    std::array<char, 1024> bytes{};
    const ssize_t count = ::read(STDIN_FILENO, bytes.data(), bytes.size());
    if (count <= 0) {
        // The terminal is gone.
        m_input.setEnabled(false);
        QCoreApplication::exit();
        return;
    }
    m_escape.disarm();
    press(m_keys.decode(QByteArrayView(bytes.data(), count)));
    if (m_keys.isPending())
        m_escape.armIn(escapeTime);
}

void TopSession::press(const QList<Key> &keys)
{
    for (const Key &each : keys)
        apply(m_view.press(each));
    followSelection();
    draw();
}

// The pane shows the selected agent.
void TopSession::followSelection()
{
    if (m_pane != TopView::Request::None && m_view.selected() != m_paneAgent)
        openPane(m_pane);
}

void TopSession::apply(TopView::Request request)
{
    switch (request) {
    case TopView::Request::None:
        return;
    case TopView::Request::Quit:
        QCoreApplication::exit();
        return;
    case TopView::Request::Start:
        operate(ControlOperation::Start, "starting ", "start requested");
        return;
    case TopView::Request::Stop:
        operate(ControlOperation::Stop, "stopping ", "stop requested");
        return;
    case TopView::Request::Restart:
        operate(ControlOperation::Restart, "restarting ", "restart requested");
        return;
    case TopView::Request::ResetBreaker:
        operate(ControlOperation::ResetBreaker, "resetting the circuit breaker of ",
                "circuit breaker closed");
        return;
    case TopView::Request::ClosePane:
        m_pane = TopView::Request::None;
        return;
    case TopView::Request::ShowLogs:
    case TopView::Request::ShowExplanation:
        openPane(request);
        return;
    }
}

void TopSession::operate(ControlOperation operation, const char *begun, const char *done)
{
    const QString agent = m_view.selected();
    m_view.setMessage(QLatin1String(begun) + agent);
    handle(m_client.operate(operation, agent),
           [this, agent, done](const ControlResult<OperationResult> &reply) {
               QString what = QLatin1String(done);
               if (reply.error)
                   what = reply.error->message;
               else if (const QString refusal = refusalText(reply.value); !refusal.isEmpty())
                   what = refusal;
               else if (!reply.value.isAccepted)
                   what = QLatin1String("no effect: ") + reply.value.noEffect;
               m_view.setMessage(agent + QLatin1String(": ") + what);
               requestAgents();
           });
}

void TopSession::onSignal(int number)
{
    switch (number) {
    case SIGWINCH:
        draw();
        break;
    case SIGTSTP:
        leaveScreen();
        std::raise(SIGSTOP);
        enterScreen();
        draw();
        break;
    case SIGCONT: // also without SIGTSTP: `bg` and then `fg`
        enterScreen();
        draw();
        break;
    default:
        m_exitCode = number == SIGINT ? ExitCode::fine : ExitCode::bySignal(number);
        QCoreApplication::exit();
        break;
    }
}

void TopSession::draw()
{
    if (m_isShown && m_terminal.isSlow())
        m_redraw.armIn(1s);
    else if (m_isShown)
        m_terminal.writeFrame(m_view.frame(Terminal::size(), m_hasColors));
}

} // namespace Rekindle

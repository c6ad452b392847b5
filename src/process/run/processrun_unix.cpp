// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "processrun_p.h"

#include "base/signalname_p.h"
#include "process/end/oomkills_p.h"
#include "process/end/reaper_p.h"
#include "process/io/processlog_p.h"
#include "process/launch/childstdio_p.h"
#include "process/perscheduler_p.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

namespace Rekindle {

namespace {

// A limit for one stream, so that a flood of one agent does not delay the others.
constexpr qsizetype bytesPerActivation = qsizetype{256} * 1024;

// The largest size of a pipe, whose content an exited process may have left.
constexpr qsizetype bytesAtEnd = qsizetype{1024} * 1024;

// Reads at most 64 KiB.
LineReader::State readOnce(const UniqueFd &fd, QByteArray &bytes)
{
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): read() fills it
    std::array<char, 65536> block;
    ssize_t got = 0;
    do {
        got = ::read(fd.get(), block.data(), block.size());
    } while (got < 0 && errno == EINTR);
    if (got <= 0)
        return got < 0 && errno == EAGAIN ? LineReader::State::Empty : LineReader::State::Ended;
    bytes = QByteArray(block.data(), got);
    // A short read means that the pipe is empty. Its end, if any, is the next event.
    return got < static_cast<ssize_t>(block.size()) ? LineReader::State::Empty
                                                    : LineReader::State::MayHaveMore;
}

} // namespace

ProcessRun::ProcessRun(const ProcessDefinition &definition, LaunchPlan &plan, Scheduler &scheduler,
                       GuardSlot &slot, RunListener &listener, DescriptorStore *descriptors)
    : m_definition(definition)
    , m_plan(plan)
    , m_scheduler(scheduler)
    , m_slot(slot)
    , m_listener(listener)
    , m_descriptors(descriptors)
    , m_output{AgentOutput::Stream::Output, definition.standardOutput}
    , m_error{AgentOutput::Stream::Error, definition.standardError}
    , m_outputGrace(scheduler, [this] { killBecause(KillCause::LostOutput); })
    , m_ownStop(scheduler, [this] { killBecause(KillCause::HungStop); })
    , m_input([this] { m_listener.runInputDrained(); })
    , m_terminator(definition.stop, scheduler, *this)
{
}

ProcessRun::~ProcessRun()
{
    stopReading(m_output.reader);
    stopReading(m_error.reader);
    if (m_census)
        m_census->remove(m_child.pid());
    if (m_ended || m_child.pid() == 0)
        return;
    m_child.signalGroup(SIGKILL);
    if (m_terminal)
        m_terminal->takeBackFrom(m_child.pid());
    if (m_status) {
        m_slot.end();
        return;
    }
    if (m_watcher)
        m_watcher->remove(m_child.pidFd());
    Reaper::take(m_child.takePidFd(), std::move(m_slot));
}

std::optional<LaunchFault> ProcessRun::launch(qint64 fencingToken)
{
    m_watcher = FdWatcher::ofThisThread();
    if (!m_watcher)
        return LaunchFault{LaunchFault::Step::Resources, errno, {}};
    if (auto fault = m_plan.prepare())
        return fault;
    if (auto fault = openNotify())
        return fault;
    if (auto fault = openFiles())
        return fault;
    ChildStdio stdio;
    if (auto fault = stdio.open(m_definition))
        return fault;
    if (auto fault = execute(stdio, fencingToken))
        return fault;
    return watch(stdio);
}

QByteArray ProcessRun::watchdogEntry() const
{
    const std::optional<Duration> interval = m_definition.watchdogInterval();
    if (!interval)
        return {};
    const auto time = std::chrono::duration_cast<std::chrono::microseconds>(*interval);
    return "WATCHDOG_USEC=" + QByteArray::number(qint64{time.count()});
}

std::optional<LaunchFault> ProcessRun::openNotify()
{
    if (m_definition.readiness.kind != Readiness::Kind::Notify && watchdogEntry().isEmpty())
        return std::nullopt;
    m_notify = std::make_unique<NotifySocket>(
        m_descriptors, [this](const NotifyMessage &message) { notified(message); });
    if (const int error = m_notify->open(); error != 0)
        return LaunchFault{LaunchFault::Step::Resources, error, {}};
    return std::nullopt;
}

std::optional<LaunchFault> ProcessRun::openFiles()
{
    for (LineStream *stream : {&m_output, &m_error}) {
        const OutputTarget &target = stream->target;
        if (target.kind != OutputTarget::Kind::File || !target.rotation)
            continue;
        stream->file = RotatedFile::at(target.file, *target.rotation);
        if (const int error = stream->file->open(); error != 0)
            return LaunchFault{LaunchFault::Step::File, error, target.file};
    }
    return std::nullopt;
}

std::optional<LaunchFault> ProcessRun::execute(const ChildStdio &stdio, qint64 fencingToken)
{
    ProcessGuard::instance().ensureRunning();
    OomKills::instance(); // counts from now on
    if (!m_slot.begin())
        return LaunchFault{LaunchFault::Step::KillDeadline, 0,
                           QStringLiteral("no guard would enforce it")};
    LaunchRequest request;
    request.standardFds = stdio.childFds();
    request.inheritsDescriptors = m_definition.inheritsDescriptors;
    request.groupSlot = m_slot.group();
    request.killTime = m_slot.killTime();
    if (m_definition.sharesTerminal)
        m_terminal = TerminalSession::open();
    if (m_terminal) {
        request.terminal = m_terminal->fd();
        request.group = m_terminal->isForeground() ? LaunchRequest::Group::Foreground
                                                   : LaunchRequest::Group::Background;
    }
    DescriptorStore::Passed passed =
        m_descriptors ? m_descriptors->forStart() : DescriptorStore::Passed();
    request.passedFds = passed.descriptors.data();
    request.passedCount = passed.descriptors.size();
    request.processIdText = passed.processIdText();
    if (m_definition.cgroup)
        m_cgroup = AgentCgroup::create(*m_definition.cgroup, m_scheduler);
    if (m_cgroup)
        request.cgroup = m_cgroup->processesFd();
    auto launched = m_plan.launch(
        request,
        {m_slot.mark(), m_notify ? m_notify->environmentEntry() : QByteArray(), watchdogEntry(),
         passed.count, passed.names, passed.processId,
         fencingToken != 0 ? "REKINDLE_FENCE=" + QByteArray::number(fencingToken) : QByteArray(),
         m_cgroup ? m_cgroup->pressureWatch() : QByteArray(),
         m_cgroup ? m_cgroup->pressureWrite() : QByteArray()});
    if (m_cgroup)
        m_cgroup->closeProcesses();
    if (const auto *fault = std::get_if<LaunchFault>(&launched)) {
        m_slot.end();
        if (m_terminal && request.group == LaunchRequest::Group::Foreground)
            m_terminal->giveTo(::getpgrp());
        return *fault;
    }
    auto &result = std::get<LaunchResult>(launched);
    m_child = ChildProcess(result.pid, std::move(result.pidFd));
    if (m_terminal)
        m_relay = std::make_unique<SignalRelay>(result.pid, m_scheduler);
    return std::nullopt;
}

std::optional<LaunchFault> ProcessRun::watch(ChildStdio &stdio)
{
    int error = m_watcher->add(m_child.pidFd(), FdWatcher::Direction::Read, *this);
    const auto watchLines = [&](LineReader &reader, UniqueFd own) {
        if (error != 0 || !own.isOpen())
            return;
        reader.open(std::move(own));
        error = m_watcher->add(reader.fd(), FdWatcher::Direction::Read, *this);
    };
    if (m_definition.standardOutput.kind == OutputTarget::Kind::Pipe) {
        // Not with FdWatcher, which needs another system call for each message.
        m_bytes = std::move(stdio.output);
        m_bytesReady = std::make_unique<QSocketNotifier>(m_bytes.get(), QSocketNotifier::Read);
        connect(m_bytesReady.get(), &QSocketNotifier::activated, this,
                [this] { readBytes(bytesPerActivation); });
    }
    watchLines(m_output.reader, std::move(stdio.output));
    watchLines(m_error.reader, std::move(stdio.error));
    if (error == 0 && m_notify)
        error = m_notify->begin(m_child.pid());
    if (error != 0) // the destructor kills the process
        return LaunchFault{LaunchFault::Step::Resources, error, {}};
    m_input.open(std::move(stdio.input));
    return std::nullopt;
}

void ProcessRun::notified(const NotifyMessage &message)
{
    const QPointer<ProcessRun> alive(this);
    if (message.stopping)
        limitOwnStop();
    if (message.extension)
        extendStop(*message.extension);
    if (message.status)
        m_listener.runStatus(*message.status);
    if (alive && message.extension)
        m_listener.runExtended(*message.extension);
    if (alive && message.ready)
        m_listener.runNotifiedReady();
    if (alive && message.stopping)
        m_listener.runStopping();
    if (alive && message.heartbeat)
        m_listener.runHeartbeat();
    if (alive && message.reportedUnhealthy)
        m_listener.runReportedUnhealthy();
}

void ProcessRun::fdReady(int fd)
{
    if (fd == m_output.reader.fd())
        readLines(m_output, bytesPerActivation);
    else if (fd == m_error.reader.fd())
        readLines(m_error, bytesPerActivation);
    else
        leaderReady();
}

// The host gets the Ctrl-C that terminated the process before the exit is reported.
void ProcessRun::leaderReady()
{
    const auto resume = [this] {
        m_relay.reset();
        if (m_watcher->add(m_child.pidFd(), FdWatcher::Direction::Read, *this) != 0)
            leaderExited();
    };
    if (m_relay && m_relay->finish(resume))
        m_watcher->remove(m_child.pidFd());
    else
        leaderExited();
}

void ProcessRun::setOutputPaused(bool paused)
{
    if (m_bytesReady)
        m_bytesReady->setEnabled(!paused);
}

bool ProcessRun::isOutputPaused() const { return m_bytesReady && !m_bytesReady->isEnabled(); }

// False if a listener has destroyed this.
bool ProcessRun::readBytes(qsizetype limit)
{
    const QPointer<ProcessRun> alive(this);
    for (qsizetype taken = 0; taken < limit && m_bytes.isOpen();) {
        QByteArray bytes;
        const LineReader::State state = readOnce(m_bytes, bytes);
        if (state == LineReader::State::MayHaveMore)
            m_enlargedBytes.enlarge(m_bytes.get());
        if (!bytes.isEmpty()) {
            taken += bytes.size();
            if (m_status)
                postDelivery();
            m_listener.runBytes(bytes);
            if (!alive)
                return false;
        }
        if (state == LineReader::State::Ended)
            return endBytes();
        // The rest of an exited process is read even if reading is paused.
        if (state == LineReader::State::Empty || (isOutputPaused() && !m_status))
            break;
    }
    return true;
}

bool ProcessRun::endBytes()
{
    if (!m_bytes.isOpen())
        return true;
    m_bytesReady.reset(); // it must not watch a closed descriptor
    m_bytes.reset();
    m_enlargedBytes.reset();
    if (!m_status && m_terminator.isIdle())
        m_outputGrace.armIn(m_definition.standardOutput.graceAtEnd);
    const QPointer<ProcessRun> alive(this);
    m_listener.runOutputEnded();
    return !alive.isNull();
}

// As long as if the host had requested the stop.
void ProcessRun::limitOwnStop()
{
    if (m_ownStop.isArmed() || !m_terminator.isIdle())
        return;
    const Duration limit = m_definition.stop.closeStdin + m_definition.stop.terminate;
    m_latestOwnStop = m_scheduler.now() + Terminator::mostExtension * limit;
    m_ownStop.armIn(limit);
}

void ProcessRun::extendStop(Duration time)
{
    m_terminator.extend(time);
    if (m_ownStop.isArmed())
        m_ownStop.arm(
            std::max(m_ownStop.due(), std::min(m_scheduler.now() + time, m_latestOwnStop)));
}

void ProcessRun::killBecause(KillCause cause)
{
    if (!m_terminator.isIdle())
        return;
    m_killCause = cause;
    m_terminator.kill();
}

// False if a listener has destroyed this.
bool ProcessRun::readLines(LineStream &stream, qsizetype limit)
{
    if (!stream.reader.isOpen())
        return true;
    if (stream.reader.read(limit, stream.lines) == LineReader::State::Ended)
        return endLines(stream);
    return deliver(stream);
}

bool ProcessRun::endLines(LineStream &stream)
{
    stream.reader.takeRest(stream.lines);
    stopReading(stream.reader);
    return deliver(stream);
}

bool ProcessRun::deliver(LineStream &stream)
{
    const QPointer<ProcessRun> alive(this);
    const bool isError = stream.kind == AgentOutput::Stream::Error;
    if (stream.file)
        stream.file->write(stream.lines, m_scheduler.clock().utcNow());
    else if (stream.lines.size() > 1 || (m_status && !stream.lines.isEmpty()))
        postDelivery();
    while (!stream.lines.isEmpty()) {
        const QByteArray line = stream.lines.takeFirst();
        if (isError)
            m_stderrTail.add(line);
        if (!stream.file)
            m_listener.runLine(stream.kind, line);
        if (!alive)
            return false;
    }
    stream.lines = {}; // the memory
    if (!stream.file && !isError)
        m_listener.runUnfinishedLine(stream.reader.unfinished());
    return !alive.isNull();
}

// If a slot runs a nested event loop, that loop delivers the lines after the current one, and the
// exit that follows them.
void ProcessRun::postDelivery()
{
    if (std::exchange(m_isDeliveryPosted, true))
        return;
    QMetaObject::invokeMethod(
        this,
        [this] {
            m_isDeliveryPosted = false;
            if (!deliver(m_output) || !deliver(m_error))
                return;
            if (m_ended)
                reportEnd();
            else if (m_status)
                finishExit();
        },
        Qt::QueuedConnection);
}

void ProcessRun::stopReading(LineReader &reader)
{
    if (!reader.isOpen())
        return;
    m_watcher->remove(reader.fd());
    reader.close();
}

void ProcessRun::leaderExited()
{
    // The rest of the group is killed first, while the zombie still reserves the id of the group.
    m_isGracefulExit = m_terminator.isGraceful();
    if (!m_isGracefulExit)
        m_child.signalGroup(SIGKILL);
    m_status = m_child.reap();
    if (!m_status)
        return;
    m_watcher->remove(m_child.pidFd());
    m_outputGrace.disarm();
    m_ownStop.disarm();
    m_listener.runEnding();
    m_notify.reset();
    if (m_terminal)
        m_terminal->takeBackFrom(m_child.pid());

    finishExit();
}

void ProcessRun::finishExit()
{
    // Processes outside the group may hold the pipes open: read the content, not until the end.
    if (m_isExitFinished || !readBytes(bytesAtEnd) || !readLines(m_output, bytesAtEnd)
        || !readLines(m_error, bytesAtEnd))
        return;
    if (std::exchange(m_isExitFinished, true)) // in a nested event loop
        return;
    if (m_isGracefulExit && m_child.hasGroup()) {
        m_census = perScheduler<GroupCensus>(m_scheduler);
        m_census->add(m_child.pid(), Duration{0}, [this](const GroupUsage &group) {
            if (group.processes == 0) {
                m_census->remove(m_child.pid());
                end(); // may destroy this
            }
            return GroupCensus::betweenPasses;
        });
        return;
    }
    end();
}

void ProcessRun::end()
{
    m_child.signalGroup(SIGKILL);
    if (m_cgroup)
        m_cgroup->kill();
    m_terminator.cancel();
    m_inputTaken = m_input.bytesTaken();
    m_input.abort();
    m_slot.end();
    m_ended = true;
    reportEnd();
}

void ProcessRun::reportEnd()
{
    if (endBytes() && endLines(m_output) && endLines(m_error)
        && !std::exchange(m_isEndReported, true))
        m_listener.runEnded();
}

bool ProcessRun::closeInput()
{
    const bool wasOpen = m_input.isOpen();
    m_input.close();
    return wasOpen;
}

void ProcessRun::terminateGroup()
{
    m_input.abort();
    m_child.signalGroup(m_definition.stop.signal);
    // A stopped process does not handle the signal.
    m_child.signalGroup(SIGCONT);
}

void ProcessRun::killGroup()
{
    m_listener.runEnding();
    m_notify.reset();
    m_child.signalGroup(SIGKILL);
}

void ProcessRun::reportUnresponsive()
{
    qCWarning(processLog, "Process %lld (%ls) did not exit after %ls; sending SIGKILL.",
              static_cast<long long>(m_child.pid()), qUtf16Printable(m_definition.program),
              qUtf16Printable(signalName(m_definition.stop.signal)));
}

void ProcessRun::reportStuck()
{
    qCWarning(processLog, "Process %lld (%ls) did not exit after SIGKILL; waiting for it.",
              static_cast<long long>(m_child.pid()), qUtf16Printable(m_definition.program));
    m_listener.runStuck();
}

// Kills in a group of its own also count in the group of the host.
std::optional<QString> ProcessRun::oomKillReport() const
{
    const std::optional<bool> own = m_cgroup ? m_cgroup->hadOomKill() : std::nullopt;
    if (own == false)
        return std::nullopt;
    const std::optional<QString> ofHost = OomKills::instance().take();
    return own ? m_cgroup->eventsFile() : ofHost;
}

void ProcessRun::followJobControl()
{
    if (m_terminal && !m_status && m_child.takeStopped())
        m_terminal->followStop(m_child);
}

} // namespace Rekindle

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "killedhosts.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QTimer>

#include <algorithm>

namespace Rekindle {

namespace {

const QString loop = QStringLiteral("a");

QString typeOf(const QJsonObject &event) { return event[QLatin1String("type")].toString(); }

bool isOf(const QJsonObject &event, const char *type)
{
    return typeOf(event) == QStringLiteral("rekindle.%1.v1").arg(QLatin1String(type))
        && event[QLatin1String("data")][QLatin1String("agent")] == loop;
}

int attemptOf(const QJsonObject &event)
{
    return event[QLatin1String("data")][QLatin1String("attemptNumber")].toInt();
}

Instant momentOf(const QJsonObject &event)
{
    return Instant(Duration(event[QLatin1String("data")][QLatin1String("monoNs")].toInteger()));
}

// Empty if there is no event of this type.
const QJsonObject *first(const QList<QJsonObject> &events, const char *type)
{
    const auto it = std::find_if(events.begin(), events.end(),
                                 [type](const QJsonObject &each) { return isOf(each, type); });
    return it == events.end() ? nullptr : &*it;
}

} // namespace

KilledHosts::KilledHosts(const QJsonObject &policy, quint32 seed, int lives)
    : m_config(writeFile(m_folder.path(), QStringLiteral("agents.json"),
                         configuration({words("exit", "1"), words("hang")}, policy)))
    , m_path(m_folder.filePath(QStringLiteral("agents.state")))
    , m_random(seed)
    , m_lives(lives)
{
}

void KilledHosts::expect(bool holds, const char *rule)
{
    if (!holds && m_fault.isEmpty())
        m_fault = QStringLiteral("life %1: %2").arg(m_number).arg(QLatin1String(rule));
}

void KilledHosts::begin()
{
    ++m_number;
    m_before = m_after;
    m_output.clear();
    m_host = std::make_unique<CommandRun>(
        words("up", m_config, "--state", m_path, "--store", "off", "--log", "json"));
    connect(m_host.get(), &QProcess::started, this, &KilledHosts::chooseTheEnd);
    connect(m_host.get(), &QProcess::readyReadStandardOutput, this, &KilledHosts::look);
    connect(m_host.get(), &QProcess::finished, this, &KilledHosts::finished);
    m_host->start();
}

// During the start, after some lines, or after so many lines that a second has passed and more than
// the first change was written.
void KilledHosts::chooseTheEnd()
{
    const int kind = m_random.bounded(8);
    const bool givenUp = m_memory && m_memory->state == InstanceState::Exhausted;
    if (kind == 0) {
        m_linesToCome = 0;
        QTimer::singleShot(m_random.bounded(60), m_host.get(), [this] { kill(); });
    } else if (givenUp) {
        m_linesToCome = m_random.bounded(1, 3); // agent b's
    } else {
        m_linesToCome = kind == 1 ? m_random.bounded(60, 160) : m_random.bounded(1, 40);
    }
}

void KilledHosts::look()
{
    m_output += m_host->readAllStandardOutput();
    const bool isGivenUp =
        m_output.contains("rekindle.restart.exhausted"); // agent a emits no further events
    if (m_linesToCome == 0 || (m_output.count('\n') < m_linesToCome && !isGivenUp))
        return;
    m_linesToCome = 0;
    // Most of the next hosts are to read that the agent was given up, so wait for the next write.
    QTimer::singleShot(m_random.bounded(isGivenUp ? 2'500 : 10), m_host.get(), [this] { kill(); });
}

void KilledHosts::kill()
{
    expect(m_host->state() == QProcess::Running, "it ended by itself");
    m_host->kill();
}

void KilledHosts::finished()
{
    m_output += m_host->readAllStandardOutput();
    readFile();
    checkLife();
    --m_lives;
    // Queued, because this is a signal of the process that is replaced.
    if (!isOver())
        QMetaObject::invokeMethod(this, &KilledHosts::begin, Qt::QueuedConnection);
}

void KilledHosts::readFile()
{
    QFile file(m_path);
    if (!file.open(QIODevice::ReadOnly))
        return; // no file was written yet
    const StateReading reading = stateFromText(file.readAll());
    expect(reading.fault.isEmpty(), qPrintable(reading.fault));
    m_after = reading.contents;
}

void KilledHosts::checkLife()
{
    for (const QByteArray &line : m_host->error().split('\n')) {
        expect(!line.contains("state: ") || line.contains("did not exit normally"),
               line.constData());
    }
    expect(QDir(m_folder.path()).entryList({QStringLiteral("*.bad-*")}).isEmpty(),
           "no file was damaged");
    checkBeginning();
    checkFile();
    m_memory.reset();
    if (m_after && m_after->agents.contains(loop))
        m_memory = m_after->agents[loop].memory;
}

// The host continues from the contents of the file.
void KilledHosts::checkBeginning()
{
    const QList<QJsonObject> all = events();
    const QJsonObject *const attempt = first(all, "restart.started");
    const QJsonObject *const start = first(all, "agent.started");
    if (!m_memory) {
        expect(!attempt || attemptOf(*attempt) == 1, "what nobody knows begins with attempt 1");
        return;
    }
    ++m_resumed;
    expect(!attempt || attemptOf(*attempt) == m_memory->attempt + 1,
           "the attempts are counted on from the file");
    if (start && m_memory->startAt)
        expect(momentOf(*start) >= *m_memory->startAt, "no start before its time");
    if (m_memory->state == InstanceState::Exhausted)
        expect(!start && !attempt, "what was given up stays given up");
    if (m_memory->breaker.state == CircuitBreakerState::Closed)
        return;
    const QJsonObject *const change = first(all, "circuit.changed");
    expect(!change
               || change->value(QLatin1String("data"))[QLatin1String("newState")]
                   == QLatin1String("Open"),
           "an open breaker is still open");
    expect(!start || (change && momentOf(*change) <= momentOf(*start)),
           "the event of the breaker comes before the start");
    if (start && m_memory->breaker.state == CircuitBreakerState::Open)
        expect(momentOf(*start) >= m_memory->breaker.resetAt, "no start while the breaker is open");
}

// The file contains everything that had happened when it was written.
void KilledHosts::checkFile()
{
    if (!m_after || (m_before && m_before->saved.mono == m_after->saved.mono))
        return;
    int begun = 0;
    for (const QJsonObject &event : events()) {
        if (isOf(event, "restart.started") && momentOf(event) < m_after->saved.mono)
            begun = std::max(begun, attemptOf(event));
    }
    const bool isKnown = m_after->agents.contains(loop);
    const int kept = isKnown ? m_after->agents[loop].memory.attempt : 0;
    expect(kept >= begun, "every attempt before the write is in the file");
    expect(!m_memory || kept >= m_memory->attempt, "attempts never become fewer");
}

// The last line may be incomplete because of the kill.
QList<QJsonObject> KilledHosts::events() const
{
    return jsonLines(m_output.left(m_output.lastIndexOf('\n') + 1));
}

} // namespace Rekindle

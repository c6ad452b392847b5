// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// Performs a script of steps on a session of the watchdog proxy. Clients and servers write any
// bytes; the rules of ProxySession must hold. The property test with valid clients and servers
// checks more rules.
//
// The first line may be `o N`, the sum of option bits: 1 fails fast, 2 injects no tools, 4 retries
// no call, 4 + 8 retries all calls, 16 no call timeout, 32 a call timeout of one second (otherwise
// one minute). Each further line is one step; its first byte selects it:
//   c LINE, C LINE   the client writes it; C: a line that is too long, with these first bytes
//   s LINE, S LINE   the server writes it
//   r LINE           the server writes it without a newline
//   a N              the server answers its Nth request, modulo their count
//   +                a server starts
//   k N M            it ends after it has read N times 64 bytes; the next start is in M * 100 ms
//   g N              the same, but it is given up
//   l M              while no server runs: the next start is in M * 100 ms
//   u                while no server runs: it is given up
//   f                the host reports the server as unusable
//   w                the host requests a restart
//   t N              N * 100 ms pass
//   d                the next request for a restart is declined
//   h                the host delays its answers, up to the next h
//   x                the client closes its end

#include "fuzztarget.h"
#include "proxysimulation.h"

using namespace Rekindle;

namespace {

constexpr Duration tenth = std::chrono::milliseconds(100);

ProxyOptions optionsOf(quint64 bits)
{
    ProxyOptions options;
    options.maximumHeld = 8;
    options.maximumHeldBytes = 2048;
    options.maximumInFlight = 8;
    options.maximumInFlightBytes = 2048;
    options.failFastBeforeReady = (bits & 1) != 0;
    options.inject = (bits & 2) == 0;
    if ((bits & 4) != 0)
        options.retry = (bits & 8) != 0 ? CallRetry::Always : CallRetry::Never;
    if ((bits & 16) == 0)
        options.callTimeout = (bits & 32) != 0 ? std::chrono::seconds(1) : std::chrono::minutes(1);
    return options;
}

// Removes a number of up to four digits from the start of a text.
quint64 takeNumber(QByteArrayView &text)
{
    quint64 number = 0;
    while (text.startsWith(' '))
        text = text.sliced(1);
    for (int i = 0; i < 4 && !text.isEmpty() && text.front() >= '0' && text.front() <= '9'; ++i) {
        number = number * 10 + static_cast<quint64>(text.front() - '0');
        text = text.sliced(1);
    }
    return number;
}

ServerOutlook dueIn(const ProxySimulation &proxy, quint64 tenths)
{
    return {ServerOutlook::Kind::Restart, proxy.now() + tenth * tenths, {}};
}

ServerOutlook givenUp() { return {ServerOutlook::Kind::GivenUp, {}, QStringLiteral("given up")}; }

void step(ProxySimulation &proxy, QByteArrayView line)
{
    if (line.isEmpty())
        return;
    const QByteArray rest = line.sliced(1).trimmed().toByteArray();
    QByteArrayView numbers(rest);
    const quint64 first = takeNumber(numbers);
    constexpr quint64 block = 64;
    switch (line.front()) {
    case 'c':
        proxy.clientWrites(rest);
        return;
    case 'C':
        proxy.clientWritesTooLong(rest);
        return;
    case 's':
        proxy.serverWrites(rest);
        return;
    case 'S':
        proxy.serverWritesTooLong(rest);
        return;
    case 'r':
        proxy.serverLeaves(rest);
        return;
    case 'a':
        proxy.serverAnswers(first);
        return;
    case '+':
        proxy.start();
        return;
    case 'k':
        proxy.endServer(first * block, dueIn(proxy, takeNumber(numbers)));
        return;
    case 'g':
        proxy.endServer(first * block, givenUp());
        return;
    case 'l':
        proxy.expect(dueIn(proxy, first));
        return;
    case 'u':
        proxy.expect(givenUp());
        return;
    case 'f':
        proxy.failServer();
        return;
    case 'w':
        proxy.requestRestart();
        return;
    case 't':
        proxy.pass(tenth * first);
        return;
    case 'd':
        proxy.declineNext();
        return;
    case 'h':
        proxy.setSlow(!proxy.isSlow());
        return;
    case 'x':
        proxy.clientCloses();
        return;
    default:
        return;
    }
}

} // namespace

void fuzzOne(QByteArrayView bytes)
{
    quint64 optionBits = 0;
    if (bytes.startsWith('o')) {
        bytes = bytes.sliced(1);
        optionBits = takeNumber(bytes);
    }
    ProxySimulation proxy(optionsOf(optionBits));
    while (!bytes.isEmpty()) {
        const qsizetype end = bytes.indexOf('\n');
        const QByteArrayView line = end < 0 ? bytes : bytes.first(end);
        step(proxy, line);
        require(proxy.fault().isEmpty(), qPrintable(proxy.fault()));
        bytes = end < 0 ? QByteArrayView() : bytes.sliced(end + 1);
    }
    proxy.close();
    require(proxy.fault().isEmpty(), qPrintable(proxy.fault()));
}

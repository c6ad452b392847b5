// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// A session of the watchdog proxy, from a play: what clients and servers write is taken as it
// stands, and whatever it is, the rules of ProxySession must hold. proxymodeltest plays sensible
// clients and servers and knows more of what must come of it.
//
// The first line may be `o N`, how the session goes about it; the bits are in ProxyPlay. Then one
// line is one step, its first byte says which:
//   c LINE, C LINE   the client writes it; C: a long one, of which these are the first bytes
//   s LINE, S LINE   the server does
//   r LINE           the server leaves it without an end
//   a N              the server answers the Nth of the requests that it has, counted around
//   +                a server starts
//   e N              it has read N times 64 bytes of what it was sent
//   k N M            it ends, having read as much; the next one is due in M times 100 ms
//   g N              it ends and is given up
//   l M              while there is none: the next one is due in M times 100 ms
//   u                while there is none: it is given up
//   f                the host has no use for it
//   w                the host wants a restart
//   t N              N times 100 ms pass
//   d                a restart that is asked for is declined, the next time
//   h                the host takes its time with answers, up to the next h
//   x                the client closes its end

#include "fuzztarget.h"
#include "proxyplay.h"

using namespace Rekindle;

namespace {

constexpr Duration tenth = std::chrono::milliseconds(100);

// Of up to four digits that a text begins with; it goes on behind them.
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

ServerOutlook dueIn(quint64 tenths) { return {ServerOutlook::Kind::Restart, tenth * tenths, {}}; }

ServerOutlook givenUp() { return {ServerOutlook::Kind::GivenUp, {}, QStringLiteral("given up")}; }

void step(ProxyPlay &play, QByteArrayView line)
{
    if (line.isEmpty())
        return;
    const QByteArray rest = line.sliced(1).trimmed().toByteArray();
    QByteArrayView numbers(rest);
    const quint64 first = takeNumber(numbers);
    constexpr quint64 block = 64;
    switch (line.front()) {
    case 'c':
        play.clientWrites(rest);
        return;
    case 'C':
        play.clientWritesTooLong(rest);
        return;
    case 's':
        play.serverWrites(rest);
        return;
    case 'S':
        play.serverWritesTooLong(rest);
        return;
    case 'r':
        play.serverLeaves(rest);
        return;
    case 'a':
        play.serverAnswers(first);
        return;
    case '+':
        play.start();
        return;
    case 'e':
        play.serverReads(first * block);
        return;
    case 'k':
        play.endServer(first * block, dueIn(takeNumber(numbers)));
        return;
    case 'g':
        play.endServer(first * block, givenUp());
        return;
    case 'l':
        play.expect(dueIn(first));
        return;
    case 'u':
        play.expect(givenUp());
        return;
    case 'f':
        play.failServer();
        return;
    case 'w':
        play.wantRestart();
        return;
    case 't':
        play.pass(tenth * first);
        return;
    case 'd':
        play.declineNext();
        return;
    case 'h':
        play.turnSlow();
        return;
    case 'x':
        play.clientCloses();
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
    ProxyPlay play(optionBits);
    while (!bytes.isEmpty()) {
        const qsizetype end = bytes.indexOf('\n');
        const QByteArrayView line = end < 0 ? bytes : bytes.first(end);
        step(play, line);
        bytes = end < 0 ? QByteArrayView() : bytes.sliced(end + 1);
    }
    play.close();
}

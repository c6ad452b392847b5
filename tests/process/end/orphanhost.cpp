// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// A host for tests of orphans: `orphanhost HOW COMMAND...` runs a chaos agent with these commands
// until it writes "up". HOW: wait (to be killed), return (from main), exit (without destructors).

#include "process/agentlog.h"

#include <QCoreApplication>

#include <cstdlib>

using namespace Rekindle;

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    const QString how = arguments.value(1);
    AgentLog log(chaos(arguments.mid(2)));
    log.agent.start();
    if (!log.waitFor(QStringLiteral("out up")))
        return 1;
    if (how == QStringLiteral("exit"))
        ::_exit(0);
    return how == QStringLiteral("return") ? 0 : QCoreApplication::exec();
}

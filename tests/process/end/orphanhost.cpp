// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

// A host for orphanstest: `orphanhost HOW FILE` runs an agent with two grandchildren, one of which
// has left the session. All ignore SIGTERM and append their process ids to FILE. HOW: wait (to be
// killed), return (from main), exit (without destructors).

#include "process/agentlog.h"
#include "processes.h"

#include <QCoreApplication>

#include <cstdlib>

using namespace Rekindle;

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    const QString how = arguments.value(1);
    const QString file = arguments.value(2);
    AgentLog log(chaos(
        "ignore-term append %1 fork group-ignoring-term %1 fork session-ignoring-term %1 hang",
        file));
    log.agent.start();
    if (!QTest::qWaitFor([&] { return numbersIn(file).size() == 3; }, 30000))
        return 1;
    if (how == QStringLiteral("exit"))
        ::_exit(0);
    return how == QStringLiteral("return") ? 0 : QCoreApplication::exec();
}

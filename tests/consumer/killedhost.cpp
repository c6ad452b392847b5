// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "killedhost.h"

#include <Rekindle/ProcessAgent>
#include <Rekindle/TimerScheduler>

#include <QCoreApplication>

int runHostToBeKilled(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    Rekindle::ProcessDefinition definition;
    definition.program = QStringLiteral("/bin/sh");
    definition.arguments = {QStringLiteral("-c"), QStringLiteral("sleep 1000 & echo $!; wait")};
    definition.standardOutput.kind = Rekindle::OutputTarget::Kind::Inherit;
    Rekindle::TimerScheduler scheduler;
    Rekindle::ProcessAgent agent(definition, scheduler);
    agent.start();
    return QCoreApplication::exec();
}

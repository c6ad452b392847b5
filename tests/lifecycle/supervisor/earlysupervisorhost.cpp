// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/lifecycle/agentsupervisor.h>

#include <QCoreApplication>

/// A host that creates its supervisor too early.
int main(int argc, char **argv)
{
    const Rekindle::AgentSupervisor supervisor;
    const QCoreApplication application(argc, argv);
    return 0;
}

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
//
// Linked to the embedding code of README.md: ends the application as `kill` does. Without
// quitGracefully(), the signal terminates the program.

#include <QCoreApplication>
#include <QTimer>

#include <chrono>
#include <csignal>

namespace {

void quitAfterAWhile()
{
    QTimer::singleShot(std::chrono::seconds(3), qApp, [] { std::raise(SIGTERM); });
}

} // namespace

Q_COREAPP_STARTUP_FUNCTION(quitAfterAWhile)

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
//
// Linked to the embedding code of README.md: ends the application as a user would.

#include <QCoreApplication>
#include <QTimer>

#include <chrono>

namespace {

void quitAfterAWhile()
{
    QTimer::singleShot(std::chrono::seconds(3), qApp, &QCoreApplication::quit);
}

} // namespace

Q_COREAPP_STARTUP_FUNCTION(quitAfterAWhile)

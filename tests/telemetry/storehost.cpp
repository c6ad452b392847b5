// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "stores.h"

#include <QCoreApplication>

#include <cstdio>
#include <functional>

// storehost STORE: tells a store of crashes for as long as it lives. On stdout stands its run, then
// "told N" and "flushed N" with the number of the last event.

int main(int argc, char **argv)
{
    using namespace Rekindle;
    QCoreApplication application(argc, argv);
    if (argc != 2)
        return 64;
    Engine engine;
    TelemetryStore store({.path = QString::fromLocal8Bit(argv[1])});
    store.attach(engine.evaluator);
    unsigned long long last = 0;
    QObject::connect(&engine.evaluator, &RestartPolicyEvaluator::event, &engine.evaluator,
                     [&](const LifecycleEvent &event) { last = header(event).sequence; });
    const auto say = [](const char *word, unsigned long long number) {
        std::printf("%s %llu\n", word, number);
        std::fflush(stdout);
    };
    std::printf("run %s\n", qPrintable(store.runId()));
    // Less than a batch between two flushes.
    std::function<void()> round = [&] {
        for (int i = 0; i < 40; ++i)
            engine.crash({QStringLiteral("some line on stderr")});
        say("told", last);
        store.flush([&, flushed = last](bool written) {
            if (!written)
                QCoreApplication::exit(1);
            say("flushed", flushed);
            round();
        });
    };
    QMetaObject::invokeMethod(
        &application, [&] { round(); }, Qt::QueuedConnection);
    return QCoreApplication::exec();
}

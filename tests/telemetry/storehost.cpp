// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "stores.h"

#include <QCoreApplication>

#include <cstdio>
#include <functional>

// storehost STORE: records crashes until it is killed. Writes its run to stdout, then "emitted N"
// and "flushed N" with the number of the last event.

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
    QObject::connect(&engine.evaluator, &RestartPolicyEvaluator::lifecycleEvent, &engine.evaluator,
                     [&](const LifecycleEvent &event) { last = header(event).sequence; });
    const auto print = [](const char *word, unsigned long long number) {
        std::printf("%s %llu\n", word, number);
        std::fflush(stdout);
    };
    std::printf("run %s\n", qPrintable(store.runId()));
    // Fewer rows than a batch between two flushes.
    std::function<void()> round = [&] {
        for (int i = 0; i < 40; ++i)
            engine.crash({QStringLiteral("some line on stderr")});
        print("emitted", last);
        store.flush([&, flushed = last](bool written) {
            if (!written)
                QCoreApplication::exit(1);
            print("flushed", flushed);
            round();
        });
    };
    QMetaObject::invokeMethod(&application, [&] { round(); }, Qt::QueuedConnection);
    return QCoreApplication::exec();
}

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "openstore_p.h"

#include "cli/output/messages_p.h"
#include "cli/output/newfile_p.h"

namespace Rekindle {

std::unique_ptr<TelemetryStore> openTelemetryStore(const QString &named, const QString &usual,
                                                   Messages &messages)
{
    if (!named.isEmpty() && !isFolderThere(QLatin1String("--store"), named, messages))
        return nullptr;
    const QString path = named.isEmpty() ? usual : named;
    auto store = std::make_unique<TelemetryStore>(TelemetryOptions{.path = path});
    const auto say = [&messages, path](const QString &text) {
        messages.say(QStringLiteral("store: %1").arg(path) + text);
    };
    QObject::connect(store.get(), &TelemetryStore::failed, store.get(),
                     [say, told = store.get()](const QString &reason) {
                         const QString then = told->retriesWrites()
                             ? QStringLiteral("what happens waits, and it is tried again")
                             : QStringLiteral("it is not tried again");
                         say(QStringLiteral(": %1; %2").arg(reason, then));
                     });
    QObject::connect(store.get(), &TelemetryStore::resumed, store.get(),
                     [say] { say(QStringLiteral(": it is written again")); });
    QObject::connect(
        store.get(), &TelemetryStore::movedAside, store.get(), [say](const QString &aside) {
            say(QStringLiteral(" was damaged; it is now %1, and a new one is begun").arg(aside));
        });
    return store;
}

void closeTelemetryStore(TelemetryStore &store, Messages &messages)
{
    store.close();
    if (const quint64 lost = store.droppedCount(); lost > 0)
        messages.say(QStringLiteral("store: %1 events and decisions are lost").arg(lost));
}

} // namespace Rekindle

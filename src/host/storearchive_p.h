// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "base/mailbox_p.h"

#include <rekindle/control/eventarchive.h>

#include <QObject>

#include <memory>
#include <optional>

namespace Rekindle {

class TelemetryStore;

/// The events of a telemetry store. A thread reads them, so that the disk never blocks the event
/// loop. It exists from the first read() on.
class StoreArchive final : public EventArchive
{
public:
    /// `path` is the file of the store, which must outlive this object.
    StoreArchive(TelemetryStore &store, const QString &path);
    /// Waits at most a second for a pending read.
    ~StoreArchive() override;

    void read(const Position &position, Done done) override;
    [[nodiscard]] quint64 droppedRows() const override;
    [[nodiscard]] QString writeFailure() const override { return m_writeFailure; }

private:
    class Worker;

    void readPage(const Position &position, Done done, std::optional<bool> isWritten);

    TelemetryStore &m_store;
    const QString m_path;
    QString m_writeFailure;
    QObject m_context; ///< of the thread of this object
    const std::shared_ptr<Mailbox> m_mailbox = std::make_shared<Mailbox>(&m_context);
    std::shared_ptr<Worker> m_worker;
};

} // namespace Rekindle

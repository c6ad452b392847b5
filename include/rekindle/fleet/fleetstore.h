// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/fleet/export.h>

#include <QtCore/qbytearray.h>
#include <QtCore/qobject.h>
#include <QtCore/qstring.h>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace Rekindle {

/// A key of the store, with the revisions of its last write (fleet design 4.1).
struct FleetRecord
{
    QByteArray key{};
    QByteArray value{};
    /// The revision that created the key. It stays until the key is deleted.
    qint64 createRevision = 0;
    /// The revision of the last write.
    qint64 modRevision = 0;

    bool operator==(const FleetRecord &) const = default;
};

/// A transaction of the store: if all comparisons hold, all writes are applied, otherwise none. It
/// writes each key at most once.
struct FleetTransaction
{
    /// What a comparison reads. Both are 0 if the key is absent.
    enum class Revision { Create, Mod };

    struct Comparison
    {
        QByteArray key{};
        Revision revision = Revision::Mod;
        qint64 expected = 0;
    };

    struct Write
    {
        QByteArray key{};
        /// Without a value, the key is deleted.
        std::optional<QByteArray> value{};
    };

    std::vector<Comparison> comparisons;
    std::vector<Write> writes;
};

/// The result of FleetStore::read().
struct FleetReadResult
{
    /// False if the store did not answer in time. Then `error` says why, and nothing else is set.
    bool known = false;
    QString error{};
    /// The keys with the prefix, in the order of their names.
    std::vector<FleetRecord> records{};
    /// The revision of the store at the time of the read, from which watch() can continue.
    qint64 revision = 0;
};

/// The result of FleetStore::commit().
struct FleetCommitResult
{
    enum class Outcome {
        /// The writes were applied.
        Applied,
        /// A comparison did not hold. Nothing was written.
        Conflict,
        /// The store did not answer in time. The writes were applied, or will be, or never will.
        Unknown,
    };

    Outcome outcome = Outcome::Unknown;
    /// Why the outcome is unknown.
    QString error{};
    /// The revision of the writes if they were applied.
    qint64 revision = 0;
};

/// What FleetStore::watch() reports.
struct FleetWatchEvent
{
    enum class Kind {
        /// `records` were written, or deleted: then both their revisions are 0. Each key occurs
        /// once, with its last change up to `revision`.
        Changes,
        /// The revisions after the requested one are gone. Read again. The watch has ended.
        Compacted,
        /// The connection was lost, or the server has no leader. The watch has ended.
        Lost,
    };

    Kind kind = Kind::Lost;
    std::vector<FleetRecord> records{};
    qint64 revision = 0;
    /// Why the watch has ended.
    QString error{};
};

/// The storage that the nodes of a fleet share (fleet design 2): linearizable reads, transactions
/// and watches. VirtualStore simulates it, EtcdStore is etcd.
///
/// Use it from its own thread. A callback is called later in this thread, never inside the call; it
/// is dropped if its context, which must live in the same thread, or the store is destroyed before.
/// Each request gets a result within 2 s.
class REKINDLE_FLEET_EXPORT FleetStore : public QObject
{
    Q_OBJECT

public:
    using ReadCallback = std::function<void(const FleetReadResult &)>;
    using CommitCallback = std::function<void(const FleetCommitResult &)>;
    using WatchCallback = std::function<void(const FleetWatchEvent &)>;

    /// The destructor ends the watch.
    class REKINDLE_FLEET_EXPORT Watch
    {
    public:
        Watch() = default;
        virtual ~Watch() = default;
        Q_DISABLE_COPY_MOVE(Watch)
    };

    /// Reads all keys that begin with the prefix; linearizable, never stale.
    virtual void read(const QByteArray &prefix, QObject *context, ReadCallback callback) = 0;

    /// Applies a transaction. A result that did not arrive in time is Unknown, also if the request
    /// was never sent.
    virtual void commit(const FleetTransaction &transaction, QObject *context,
                        CommitCallback callback) = 0;

    /// Reports each change of a key with the prefix after a revision, in order and without gaps,
    /// until the watch ends.
    [[nodiscard]] virtual std::unique_ptr<Watch> watch(const QByteArray &prefix,
                                                       qint64 afterRevision, QObject *context,
                                                       WatchCallback callback) = 0;

protected:
    using QObject::QObject;
};

} // namespace Rekindle

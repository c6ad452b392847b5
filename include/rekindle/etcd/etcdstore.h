// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/etcd/export.h>
#include <rekindle/fleet/fleetstore.h>
#include <rekindle/json/fault.h>

#include <QtCore/qurl.h>

#include <chrono>

namespace Rekindle {

class EtcdClient;

/// How EtcdStore reaches etcd.
struct REKINDLE_ETCD_EXPORT EtcdOptions
{
    /// The client URLs of the members, `http://HOST:PORT` or `https://HOST:PORT`; at least one. If
    /// a member does not answer or has no leader, the next one is used.
    QList<QUrl> endpoints;
    /// The store adds it to all keys, and sees no others. Empty: all keys of etcd.
    QByteArray prefix;
    /// Empty if etcd does not require authentication. Otherwise a token is requested, and renewed
    /// when it has become invalid. etcd then rejects client certificates with a common name.
    QString user;
    QString password;
    /// A PEM file with the certificates that sign those of the members. Empty: those of the system.
    /// All files are read once, when the store is created.
    QString caFile;
    /// PEM files with the client certificate and its key (RSA or EC, without password). Both or
    /// none.
    QString certificateFile;
    QString keyFile;
    /// After this time, the result of a request is unknown. 1 ms to 60 s; FleetStore permits 2 s.
    std::chrono::milliseconds timeout{2000};
    /// A watch without any message for this time is opened again, at the revision where it was.
    /// This detects a connection that is dead, because etcd sends messages without changes every
    /// 10 minutes only. 1 ms to 10 min.
    std::chrono::milliseconds watchRenewal{10'000};

    /// What is wrong. The paths are names of members: "/endpoints/0", "/caFile". Reads the files.
    [[nodiscard]] QList<Fault> faults() const;
};

/// The store of a fleet in etcd 3.4 or 3.5, by its JSON gateway (fleet design 1). FleetStore
/// documents the functions and the thread. The constructor does not connect, and each watch has a
/// connection of its own.
///
/// A transaction that is not answered is sent again, and may arrive twice. If etcd rejects it
/// although all its keys already have the values to be written, the result is Unknown, not
/// Conflict.
///
/// The result is also Unknown if etcd returns an error, for example because its storage is full or
/// the user has no permission. An error text begins with the endpoint. If the options are invalid,
/// it contains their faults. Answers and messages of more than 16 MiB are errors.
class REKINDLE_ETCD_EXPORT EtcdStore final : public FleetStore
{
    Q_OBJECT

public:
    explicit EtcdStore(EtcdOptions options, QObject *parent = nullptr);
    /// Ends all requests and watches without a result. Watches may be destroyed later.
    ~EtcdStore() override;

    void read(const QByteArray &prefix, QObject *context, ReadCallback callback) override;
    void commit(const FleetTransaction &transaction, QObject *context,
                CommitCallback callback) override;
    /// Each call of the callback reports the changes of one revision. The watch is lost if the
    /// server has no leader, or if the revisions of etcd have gone back (restored from a backup).
    [[nodiscard]] std::unique_ptr<Watch> watch(const QByteArray &prefix, qint64 afterRevision,
                                               QObject *context, WatchCallback callback) override;

private:
    std::unique_ptr<EtcdClient> m_client;
};

} // namespace Rekindle

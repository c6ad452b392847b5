// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/etcd/etcdstore.h>

#include <QNetworkAccessManager>
#include <QNetworkRequest>
#include <QSslConfiguration>

#include <optional>

namespace Rekindle {

/// The maximum of an answer, and of a message of a watch, in bytes.
constexpr qsizetype maxEtcdMessage = qsizetype{16} * 1024 * 1024;
/// What Qt may have read that its reader has not.
constexpr qint64 maxEtcdUnread = qint64{1} * 1024 * 1024;

/// The members of an etcd, their connections, and the token of the user. It is the parent of the
/// requests.
class EtcdClient final : public QObject
{
    Q_OBJECT

public:
    explicit EtcdClient(EtcdOptions options);

    [[nodiscard]] const EtcdOptions &options() const { return m_options; }
    /// Empty if the options are valid. Otherwise no request can be sent.
    [[nodiscard]] const QString &fault() const { return m_fault; }
    [[nodiscard]] QNetworkAccessManager &network() { return m_network; }

    /// The index of the endpoint that is used first.
    [[nodiscard]] qsizetype preferred() const { return m_preferred; }
    /// An endpoint has failed: others are used first.
    void avoid(qsizetype endpoint);
    [[nodiscard]] QString name(qsizetype endpoint) const;
    /// A POST of JSON with the current token.
    [[nodiscard]] QNetworkRequest request(qsizetype endpoint, const QString &path) const;

    /// A token must be requested before other requests can be sent.
    [[nodiscard]] bool lacksToken() const { return !m_token && !m_options.user.isEmpty(); }
    [[nodiscard]] QByteArray token() const { return m_token.value_or(QByteArray()); }
    /// etcd did not accept this token.
    void rejectToken(const QByteArray &token);
    /// Requests a token, if no such request is in flight.
    void authenticate();

    /// Connects the manager as requests need it.
    static void prepare(QNetworkAccessManager &network);

Q_SIGNALS:
    /// The end of authenticate(). The error is empty if there is a token now.
    void authenticated(const QString &error);

private:
    EtcdOptions m_options;
    QString m_fault;
    QSslConfiguration m_tls;
    QNetworkAccessManager m_network;
    qsizetype m_preferred = 0;
    std::optional<QByteArray> m_token; ///< empty: etcd does not require authentication
    bool m_isAuthenticating = false;
};

} // namespace Rekindle

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/etcd/etcdstore.h>

#include <QNetworkAccessManager>
#include <QNetworkRequest>
#include <QSslConfiguration>

#include <optional>

namespace Rekindle {

/// The members of an etcd, and the token of the user. It is the parent of the requests.
class EtcdClient final : public QObject
{
    Q_OBJECT

public:
    explicit EtcdClient(EtcdOptions options);

    [[nodiscard]] const EtcdOptions &options() const { return m_options; }
    /// What is wrong in the options. Then no request can be sent.
    [[nodiscard]] const QString &fault() const { return m_fault; }
    /// The connections of all requests except watches.
    [[nodiscard]] QNetworkAccessManager &network() { return m_network; }

    /// The index of the endpoint that is used first.
    [[nodiscard]] qsizetype preferred() const { return m_preferred; }
    /// An endpoint has failed.
    void avoid(qsizetype endpoint);
    [[nodiscard]] QString name(qsizetype endpoint) const;
    /// A POST with the current token.
    [[nodiscard]] QNetworkRequest request(qsizetype endpoint, const QString &path) const;

    [[nodiscard]] bool lacksToken() const { return !m_token && !m_options.user.isEmpty(); }
    [[nodiscard]] QByteArray token() const { return m_token.value_or(QByteArray()); }
    /// etcd did not accept this token.
    void rejectToken(const QByteArray &token);
    /// Requests a token, if no such request is in flight.
    void authenticate();

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

/// Makes the call from the event loop, unless one of the objects is deleted before.
void callLater(QObject *context, QObject *owner, std::function<void()> call);

} // namespace Rekindle

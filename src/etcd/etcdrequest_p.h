// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QJsonObject>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QObject>
#include <QPointer>
#include <QStringList>
#include <QTimer>

#include <functional>

namespace Rekindle {

class EtcdClient;

/// An answer of etcd, or the error why there is none.
struct EtcdAnswer
{
    QJsonObject json{};
    QString endpoint{};
    QString error{}; ///< with the endpoint
};

/// A request, which is sent to one endpoint after the other until one answers, within the timeout
/// of the options. It may arrive more than once. It deletes itself after the last answer.
class EtcdRequest final : public QObject
{
    Q_OBJECT

public:
    enum class Kind {
        Single,         ///< one answer
        Authentication, ///< one answer, and needs no token
        Stream,         ///< many answers; the last one is an error
    };

    struct Call
    {
        Kind kind = Kind::Single;
        QString path{};
        QByteArray body{};
    };
    using Callback = std::function<void(const EtcdAnswer &)>;

    /// The client owns the request. The callback must not delete the client.
    static EtcdRequest *start(EtcdClient &client, QNetworkAccessManager &network, Call call,
                              Callback callback);
    ~EtcdRequest() override { drop(); }

    /// No further answers are reported.
    void cancel();

private:
    EtcdRequest(EtcdClient &client, QNetworkAccessManager &network, Call call, Callback callback);

    void attempt();
    void send();
    void receive();
    void receiveLines();
    void conclude();
    void handle(const QByteArray &answer, int status);
    void fail(const QString &error);
    void end(const QString &error);
    void drop();

    EtcdClient &m_client;
    QNetworkAccessManager &m_network;
    Call m_call;
    Callback m_callback;
    QTimer m_limit;
    QTimer m_step; ///< the time of an endpoint, if there are more
    QPointer<QNetworkReply> m_reply;
    QByteArray m_received;
    QByteArray m_token;
    qsizetype m_endpoint;
    qsizetype m_remaining; ///< endpoints that were not used
    bool m_isTokenRenewed = false;
    QStringList m_errors;
};

} // namespace Rekindle

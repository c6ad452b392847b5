// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>

#include <functional>

class QNetworkReply;

namespace Rekindle {

class EtcdClient;
class EtcdUpload;

/// The answer of etcd. With an error, etcd did not do what was requested, or its answer is missing.
struct EtcdAnswer
{
    QJsonObject json{};
    QString error{};
};

/// A request with one answer within the timeout of the options. It is sent to one endpoint after
/// the other until one answers.
class EtcdRequest final : public QObject
{
    Q_OBJECT

public:
    struct Call
    {
        QString path{};
        QByteArray body{};
        /// It may be sent to another endpoint although it may have arrived.
        bool canRepeat = false;
    };
    using Callback = std::function<void(const EtcdAnswer &)>;

    [[nodiscard]] static QString authenticatePath();

    /// The callback must not delete the client. The client owns the request.
    static void post(EtcdClient &client, Call call, Callback callback);

private:
    EtcdRequest(EtcdClient &client, Call call, Callback callback);

    void attempt();
    void send();
    void receive();
    void answered();
    void stepExpired();
    void expired();
    [[nodiscard]] bool mayHaveArrived() const;
    void attemptFailed(const QString &error);
    void conclude(const EtcdAnswer &answer);
    void drop();

    EtcdClient &m_client;
    Call m_call;
    Callback m_callback;
    QTimer m_limit;
    QTimer m_step; ///< the time of an endpoint
    QNetworkReply *m_reply = nullptr;
    EtcdUpload *m_upload = nullptr; ///< of the reply; nullptr if the request can be repeated
    QByteArray m_answer;
    QByteArray m_token;
    qsizetype m_endpoint = 0;
    qsizetype m_attempts = 0;
    bool m_isTokenRenewed = false;
    QStringList m_errors;
};

} // namespace Rekindle

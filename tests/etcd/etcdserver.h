// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "waituntil.h"

#include <QEventLoop>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QNetworkAccessManager>
#include <QNetworkProxy>
#include <QNetworkReply>
#include <QProcess>
#include <QTcpSocket>
#include <QTemporaryDir>

#include <sys/prctl.h>

#include <csignal>
#include <memory>
#include <vector>

namespace Rekindle {

/// A real etcd with its data in a temporary folder. It is killed at the end.
class EtcdServer
{
public:
    explicit EtcdServer(const QString &name = QStringLiteral("a"))
        : m_name(name)
    {
        for (QTcpSocket *const port : {&m_port, &m_peerPort}) {
            port->setProxy(QNetworkProxy::NoProxy);
            if (!port->bind(QHostAddress::LocalHost, 0, QAbstractSocket::ReuseAddressHint))
                qFatal("no port for etcd: %s", qPrintable(port->errorString()));
        }
    }
    ~EtcdServer() { kill(); }
    Q_DISABLE_COPY_MOVE(EtcdServer)

    [[nodiscard]] quint16 port() const { return m_port.localPort(); }
    [[nodiscard]] QUrl url() const
    {
        return QUrl(QStringLiteral("%1://127.0.0.1:%2").arg(m_scheme).arg(port()));
    }
    [[nodiscard]] QString member() const
    {
        return QStringLiteral("%1=http://127.0.0.1:%2").arg(m_name).arg(m_peerPort.localPort());
    }

    /// With TLS, if the arguments have certificates.
    void start(const QString &cluster, const QStringList &arguments = {})
    {
        m_scheme = arguments.isEmpty() || !arguments.first().startsWith(QLatin1String("--cert"))
            ? QStringLiteral("http")
            : QStringLiteral("https");
        const QString peer = member().section(QLatin1Char('='), 1);
        m_arguments = QStringList{QStringLiteral("--name"),
                                  m_name,
                                  QStringLiteral("--data-dir"),
                                  m_folder.filePath(QStringLiteral("data")),
                                  QStringLiteral("--listen-client-urls"),
                                  url().toString(),
                                  QStringLiteral("--advertise-client-urls"),
                                  url().toString(),
                                  QStringLiteral("--listen-peer-urls"),
                                  peer,
                                  QStringLiteral("--initial-advertise-peer-urls"),
                                  peer,
                                  QStringLiteral("--initial-cluster"),
                                  cluster,
                                  QStringLiteral("--logger"),
                                  QStringLiteral("zap"),
                                  QStringLiteral("--unsafe-no-fsync")}
            + arguments;
        restart();
    }
    void restart()
    {
        m_process = std::make_unique<QProcess>();
        // Also if the test crashes.
        m_process->setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGKILL); });
        m_process->setProcessChannelMode(QProcess::MergedChannels);
        m_process->setStandardOutputFile(log(), QIODevice::Append);
        // For Debian 12, the version of Debian 13, and the other way round.
        m_process->start(qEnvironmentVariable("REKINDLE_ETCD", QStringLiteral(ETCD)), m_arguments);
        if (!m_process->waitForStarted(-1))
            qFatal("etcd does not start: %s", qPrintable(m_process->errorString()));
    }

    [[nodiscard]] bool isRunning() const
    {
        return m_process && m_process->state() == QProcess::Running;
    }
    void stop() const { signal(SIGSTOP); }
    void resume() const { signal(SIGCONT); }
    void kill()
    {
        if (m_process) {
            m_process->kill();
            m_process->waitForFinished(-1);
        }
        m_process.reset();
    }

    /// What etcd has logged.
    [[nodiscard]] QByteArray logged() const
    {
        QFile file(log());
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

private:
    [[nodiscard]] QString log() const { return m_folder.filePath(QStringLiteral("log")); }
    void signal(int number) const
    {
        if (m_process)
            ::kill(static_cast<pid_t>(m_process->processId()), number);
    }

    QTemporaryDir m_folder;
    QString m_name;
    // While they are bound, no other process gets these ports, also if etcd does not run. etcd can
    // listen on them, because it permits to reuse the address, too.
    QTcpSocket m_port;
    QTcpSocket m_peerPort;
    QString m_scheme = QStringLiteral("http");
    QStringList m_arguments;
    std::unique_ptr<QProcess> m_process;
};

/// Sends a request without the store. Returns the answer, also of an error.
inline QJsonObject callEtcd(const QUrl &url, const QString &path, const QJsonObject &body,
                            const QByteArray &token = {})
{
    QNetworkAccessManager network;
    QUrl target = url;
    target.setPath(path);
    QNetworkRequest request(target);
    request.setHeader(QNetworkRequest::ContentTypeHeader, QStringLiteral("application/json"));
    if (!token.isEmpty())
        request.setRawHeader("Authorization", token);
    request.setTransferTimeout(120'000);
    QNetworkReply *const reply = network.post(request, QJsonDocument(body).toJson());
    QEventLoop loop;
    QObject::connect(reply, &QNetworkReply::finished, &loop, &QEventLoop::quit);
    loop.exec();
    return QJsonDocument::fromJson(reply->readAll()).object();
}

/// Members of one etcd.
class EtcdCluster
{
public:
    explicit EtcdCluster(int size = 1, const QStringList &arguments = {})
    {
        // A single member is its own leader after at most the election timeout. Several members
        // must keep their leader, also if the machine is busy: the times are twice those of etcd.
        const bool isSingle = size == 1;
        const QStringList times{QStringLiteral("--heartbeat-interval"),
                                isSingle ? QStringLiteral("50") : QStringLiteral("200"),
                                QStringLiteral("--election-timeout"),
                                isSingle ? QStringLiteral("500") : QStringLiteral("2000")};
        QStringList all;
        for (int i = 0; i < size; ++i) {
            members.push_back(std::make_unique<EtcdServer>(QStringLiteral("m%1").arg(i)));
            all.append(members.back()->member());
        }
        for (const auto &member : members)
            member->start(all.join(QLatin1Char(',')), arguments + times);
    }

    [[nodiscard]] EtcdServer &at(std::size_t index) const { return *members.at(index); }
    [[nodiscard]] QList<QUrl> urls() const
    {
        QList<QUrl> all;
        for (const auto &member : members)
            all.append(member->url());
        return all;
    }
    /// Each member has a leader. Without TLS.
    [[nodiscard]] bool waitUntilReady() const
    {
        const QJsonObject range{{QStringLiteral("key"), QStringLiteral("AA==")}};
        for (const auto &member : members) {
            const bool isReady = waitUntil([&] {
                if (!member->isRunning())
                    qFatal("etcd has exited: %s", member->logged().constData());
                return callEtcd(member->url(), QStringLiteral("/v3/kv/range"), range)
                    .contains(QLatin1String("header"));
            });
            if (!isReady)
                return false;
        }
        return true;
    }

    std::vector<std::unique_ptr<EtcdServer>> members;
};

} // namespace Rekindle

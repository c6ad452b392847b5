// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "metricsendpoint_p.h"

#include "cli/output/messages_p.h"

#include <CLI/CLI.hpp>

namespace Rekindle {

std::optional<ListenAddress> listenAddressFromString(const QString &text)
{
    const qsizetype colon = text.lastIndexOf(u':');
    bool isNumber = false;
    const ushort port = text.mid(colon + 1).toUShort(&isNumber);
    if (!isNumber || !text.at(colon + 1).isDigit())
        return {};
    QString host = colon < 0 ? QStringLiteral("localhost") : text.left(colon);
    if (host == QLatin1String("localhost"))
        return ListenAddress{QHostAddress(QHostAddress::LocalHost), port};
    const bool isV6 = host.startsWith(u'[') && host.endsWith(u']');
    if (isV6)
        host = host.mid(1, host.size() - 2);
    QHostAddress address;
    const auto protocol = isV6 ? QAbstractSocket::IPv6Protocol : QAbstractSocket::IPv4Protocol;
    if (!address.setAddress(host) || address.protocol() != protocol)
        return {};
    return ListenAddress{address, port};
}

void addListenAddress(CLI::App &parser, const std::string &name,
                      std::optional<ListenAddress> &target, const std::string &description)
{
    parser
        .add_option_function<std::string>(
            name,
            [&target, name](const std::string &text) {
                target = listenAddressFromString(QString::fromStdString(text));
                if (!target) {
                    throw CLI::ValidationError(name,
                                               "expected a port such as 9464, or an IP address "
                                               "and a port such as 127.0.0.1:9464, found \""
                                                   + text + '"');
                }
            },
            description)
        ->type_name("[ADDRESS:]PORT");
}

MetricsEndpoint::MetricsEndpoint(AgentSupervisor &supervisor)
    : m_collector(supervisor)
    , m_server(supervisor, m_collector)
{
}

bool MetricsEndpoint::listen(const ListenAddress &where, Messages &messages)
{
    if (const std::optional<Fault> fault = m_server.listen(where.address, where.port)) {
        messages.say(QStringLiteral("metrics: %1").arg(fault->message));
        return false;
    }
    if (!m_server.address().isLoopback()) {
        messages.say(
            QStringLiteral("metrics: warning: anyone who can reach %1 can read the metrics "
                           "and the names of all agents; there is no password")
                .arg(m_server.address().toString()));
    }
    const QString address = m_server.address().toString();
    const bool isV6 = m_server.address().protocol() == QAbstractSocket::IPv6Protocol;
    messages.say(QStringLiteral("metrics: http://%1:%2/metrics")
                     .arg(isV6 ? QStringLiteral("[%1]").arg(address) : address)
                     .arg(m_server.port()));
    return true;
}

} // namespace Rekindle

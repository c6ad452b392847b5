// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "proxycontext_p.h"

#include <utility>

namespace Rekindle {

void ProxyContext::toClient(QByteArray line)
{
    add({ProxyAction::Kind::ToClient, std::move(line), {}, {}, {}});
}

void ProxyContext::toServer(const QByteArray &line)
{
    sentBytes += static_cast<quint64>(line.size()) + 1; // with its newline
    add({ProxyAction::Kind::ToServer, line, {}, {}, {}});
}

void ProxyContext::refuse(ProxyRefusal refusal)
{
    refusal.revision = revision;
    add({ProxyAction::Kind::Refuse, {}, {}, {}, std::move(refusal)});
}

void ProxyContext::note(const QString &text) { add({ProxyAction::Kind::Note, {}, text, {}, {}}); }

std::vector<ProxyAction> ProxyContext::takeActions() { return std::exchange(m_actions, {}); }

MessageId ProxyContext::newId()
{
    for (;;) {
        const MessageId id = MessageId::ofJson(
            QByteArray('"' + options.nonce + '-' + QByteArray::number(++m_ownIds) + '"'));
        if (!isUsed(id))
            return id;
    }
}

} // namespace Rekindle

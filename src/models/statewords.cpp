// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "models/internal/statewords.h"

#include "control/internal/agentwords.h"

namespace Rekindle {

QString StateWords::ofState(const QString &state)
{
    QString text = Words::ofData(state);
    if (text != state)
        return text;
    for (qsizetype i = text.size() - 1; i > 0; --i) {
        if (text[i].isUpper())
            text.replace(i, 1, u' ' + QString(text[i].toLower()));
    }
    return text;
}

QString StateWords::spoken(const AgentStatus &agent)
{
    QStringList parts{agent.agent, ofState(agent.state).toLower()};
    if (agent.uptime)
        parts.append(tr("for %1").arg(readable(*agent.uptime)));
    if (isUnhealthy(agent))
        parts.append(ofState(agent.health.state).toLower());
    parts.append(detailText(agent));
    parts.removeAll(QString());
    return parts.join(QLatin1String(", "));
}

QString StateWords::toolTip(const AgentStatus &agent)
{
    QStringList lines{tr("%1: %2").arg(agent.agent, ofState(agent.state)), detailText(agent)};
    if (agent.uptime)
        lines.append(tr("Uptime: %1").arg(readable(*agent.uptime)));
    if (hasHealth(agent))
        lines.append(tr("Health: %1").arg(ofState(agent.health.state)));
    if (agent.breaker)
        lines.append(tr("Circuit breaker: %1").arg(ofState(agent.breaker->state)));
    if (agent.lastFailure)
        lines.append(tr("Last failure: %1").arg(lastFailureText(agent)));
    lines.removeAll(QString());
    for (QString &each : lines)
        each = each.toHtmlEscaped(); // an agent may have written it
    return QLatin1String("<qt>") + lines.join(QLatin1String("<br>")) + QLatin1String("</qt>");
}

} // namespace Rekindle

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "evaluatorcatalog_p.h"

#include <utility>

namespace Rekindle {

EvaluatorCatalog::Plugins EvaluatorCatalog::search()
{
    Plugins previous = std::exchange(m_plugins, {});
    m_found = findEvaluators(m_folders);
    for (const FoundEvaluator &each : std::as_const(m_found)) {
        if (each.info.state != EvaluatorInfo::State::Allowed)
            continue;
        const auto known = previous.find(each.info.id);
        m_plugins.emplace(each.info.id,
                          std::make_unique<EvaluatorPlugin>(
                              each, known == previous.end() ? nullptr : known->second.get()));
    }
    return previous;
}

EvaluatorPlugin *EvaluatorCatalog::find(const QString &id) const
{
    const auto plugin = m_plugins.find(id);
    return plugin == m_plugins.end() ? nullptr : plugin->second.get();
}

EvaluatorPlugin *EvaluatorCatalog::usable(const QString &id) const
{
    EvaluatorPlugin *const plugin = find(id);
    return plugin && !plugin->isQuarantined() && isLicensed(plugin->info()) ? plugin : nullptr;
}

bool EvaluatorCatalog::isLicensed(const EvaluatorInfo &info) const
{
    return !m_tierCheck || m_tierCheck(info.tier);
}

QList<EvaluatorInfo> EvaluatorCatalog::list() const
{
    QList<EvaluatorInfo> result;
    for (const FoundEvaluator &each : m_found) {
        EvaluatorInfo info = each.info;
        if (info.state == EvaluatorInfo::State::Allowed && !isLicensed(info)) {
            info.state = EvaluatorInfo::State::Gated;
            info.reason = QStringLiteral("requires tier %1, which the license does not include")
                              .arg(info.tier);
        }
        result.append(info);
    }
    return result;
}

QList<Fault> EvaluatorCatalog::check(const EvaluatorReference &evaluator) const
{
    const QString path = QStringLiteral("/evaluator/id");
    if (const EvaluatorPlugin *plugin = find(evaluator.id)) {
        QList<Fault> faults =
            plugin->schema().check(evaluator.parameters, QStringLiteral("/evaluator/parameters"));
        if (!isLicensed(plugin->info())) {
            faults.append({path,
                           QStringLiteral("evaluator \"%1\" requires tier %2, which the license "
                                          "does not include; it is not used")
                               .arg(evaluator.id, plugin->info().tier),
                           Fault::Severity::Warning});
        }
        return faults;
    }
    for (const FoundEvaluator &each : m_found) {
        if (each.info.id == evaluator.id) {
            return {{path,
                     QStringLiteral("\"%1\" is rejected: %2: %3")
                         .arg(evaluator.id, each.info.file, each.info.reason)}};
        }
    }
    QStringList ids;
    for (const auto &each : m_plugins)
        ids.append(each.first);
    return {{path,
             QStringLiteral("unknown evaluator \"%1\"; %2")
                 .arg(evaluator.id,
                      ids.isEmpty()
                          ? QStringLiteral("no plug-in was found")
                          : QStringLiteral("expected one of ") + ids.join(QLatin1String(", ")))}};
}

} // namespace Rekindle

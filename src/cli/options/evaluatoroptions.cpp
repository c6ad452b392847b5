// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "evaluatoroptions_p.h"

#include "cli/output/messages_p.h"

#include <rekindle/config/configuration.h>
#include <rekindle/lifecycle/featuregate.h>
#include <rekindle/plugin/evaluatorhost.h>

#include <CLI/CLI.hpp>
#include <QCoreApplication>
#include <QFileInfo>

namespace Rekindle {

namespace {

// Relative to the command, because the installation may have been moved.
QStringList ownFolders()
{
    const QString here = QCoreApplication::applicationDirPath();
    QStringList candidates{here + QStringLiteral("/" REKINDLE_EVALUATORS_FROM_BIN)};
    if (QFileInfo::exists(here + QStringLiteral("/../CMakeCache.txt")))
        candidates.append(here + QStringLiteral("/../plugins"));
    QStringList folders;
    for (const QString &candidate : candidates) {
        if (QFileInfo(candidate).isDir())
            folders.append(QFileInfo(candidate).canonicalFilePath());
    }
    return folders;
}

// Without this check, a mistyped folder would only lead to an unknown evaluator.
std::string faultOfFolder(const QString &path)
{
    const QFileInfo folder(path);
    if (!path.isEmpty() && folder.isDir())
        return {};
    return std::string("expected a folder with plug-ins, found ")
        + (folder.exists() ? "a file" : "no such folder") + ": \"" + path.toStdString() + '"';
}

std::unique_ptr<EvaluatorHost> makeHost(const QStringList &folders)
{
    auto host = std::make_unique<EvaluatorHost>();
    host->setFolders(folders + ownFolders());
    return host;
}

bool isCustom(const RestartPolicy &policy)
{
    return policy.type == RestartPolicyType::Custom && policy.evaluator;
}

} // namespace

void addEvaluatorOption(CLI::App &parser, QStringList &folders, const std::string &name)
{
    parser
        .add_option_function<std::vector<std::string>>(
            name,
            [&folders, name](const std::vector<std::string> &values) {
                for (const std::string &value : values) {
                    folders.append(QString::fromStdString(value));
                    if (const std::string fault = faultOfFolder(folders.back()); !fault.empty())
                        throw CLI::ValidationError(name, fault);
                }
            },
            "Folder with plug-ins for policies of type custom; can be repeated")
        ->type_name("DIR")
        ->allow_extra_args(false);
}

std::unique_ptr<EvaluatorHost> makeEvaluatorHost(const QStringList &folders,
                                                 const FeatureGate &gate)
{
    auto host = makeHost(folders);
    host->setTierCheck([&gate](QStringView name) {
        const std::optional<LicenseTier> tier = valueOf(licenseTiers, name);
        return tier && *tier <= gate.tier();
    });
    return host;
}

QList<Fault> evaluatorFaults(const RestartPolicy &policy, const QStringList &folders)
{
    return isCustom(policy) ? makeHost(folders)->check(*policy.evaluator) : QList<Fault>();
}

bool isEvaluatorValid(const RestartPolicy &policy, const QStringList &folders, Messages &messages)
{
    const QList<Fault> faults = evaluatorFaults(policy, folders);
    for (const Fault &fault : faults)
        messages.say(QLatin1String("policy: ") + fault.toString());
    return !hasErrors(faults);
}

QList<Fault> evaluatorFaults(const Configuration &configuration, const QString &file,
                             const QStringList &folders)
{
    QList<Fault> faults;
    std::unique_ptr<EvaluatorHost> host;
    const auto look = [&](const RestartPolicy &policy, const QString &pointer) {
        if (!isCustom(policy))
            return;
        if (!host)
            host = makeHost(folders);
        for (Fault fault : host->check(*policy.evaluator)) {
            fault.path.prepend(pointer);
            faults.append(fault);
        }
    };
    for (auto each = configuration.policies.begin(); each != configuration.policies.end(); ++each)
        look(each.value(), QStringLiteral("/policies/") + each.key());
    for (const AgentDefinition &agent : configuration.agents) {
        if (!configuration.policies.contains(agent.policyName))
            look(agent.policy, agent.pointer + QLatin1String("/policy"));
    }
    return placedFaults(std::move(faults), file);
}

QString evaluatorFaultText(const EvaluatorFault &fault, const QString &agent)
{
    QString text = QStringLiteral("evaluator %1: %2; the built-in decision applies")
                       .arg(fault.evaluator, fault.what);
    if (!agent.isEmpty())
        text.prepend(agent + QLatin1String(": "));
    if (!fault.quarantined)
        return text;
    text += QLatin1String("; the evaluator is quarantined");
    return fault.creationFailed ? text + QLatin1String(" for ") + agent : text;
}

} // namespace Rekindle

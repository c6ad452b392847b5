// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/options/evaluatoroptions_p.h"
#include "cli/options/licenseoptions_p.h"
#include "command_p.h"
#include "json/jsonwriter.h"

#include <rekindle/lifecycle/featuregate.h>
#include <rekindle/lifecycle/timerscheduler.h>
#include <rekindle/plugin/evaluatorhost.h>

namespace Rekindle {

namespace {

const char *stateName(EvaluatorInfo::State state)
{
    using State = EvaluatorInfo::State;
    return state == State::Allowed ? "allowed" : state == State::Gated ? "gated" : "refused";
}

QByteArray asText(const EvaluatorHost &host)
{
    QByteArray text;
    for (const EvaluatorInfo &info : host.plugins()) {
        QString line = QLatin1String(stateName(info.state)) + QLatin1String("  ");
        line += info.id.isEmpty() ? info.file : info.id + u' ' + info.version;
        text += line.toLocal8Bit() + '\n';
        if (!info.reason.isEmpty())
            text += "    reason: " + info.reason.toLocal8Bit() + '\n';
        if (!info.description.isEmpty())
            text += "    " + info.description.toLocal8Bit() + '\n';
        if (!info.id.isEmpty()) {
            text += "    tier " + info.tier.toLocal8Bit() + ", parameters: "
                + info.parameterSchema[QLatin1String("properties")]
                      .toObject()
                      .keys()
                      .join(QLatin1String(", "))
                      .toLocal8Bit()
                + '\n';
            text += "    " + info.file.toLocal8Bit() + '\n';
        }
    }
    const char *const what = text.isEmpty() ? "no plug-ins in " : "searched ";
    for (const QString &folder : host.folders())
        text += what + folder.toLocal8Bit() + '\n';
    return text.isEmpty() ? QByteArray("no plug-ins; to search a folder, use --plugins DIR\n")
                          : text;
}

void writePlugin(JsonWriter &json, const EvaluatorInfo &info)
{
    json.member("state", QLatin1String(stateName(info.state)));
    json.member("file", info.file);
    if (!info.reason.isEmpty())
        json.member("reason", info.reason);
    if (info.id.isEmpty())
        return;
    json.member("id", info.id);
    json.member("version", info.version);
    json.member("description", info.description);
    json.member("tier", info.tier);
    json.object("api", [&] {
        json.member("from", info.apiFrom);
        json.member("to", info.apiTo);
    });
    json.member("parameters", info.parameterSchema);
}

QByteArray asJson(const EvaluatorHost &host)
{
    return onLines(jsonObject([&host](JsonWriter &json) {
               json.member("folders", host.folders());
               json.array("plugins", host.plugins(), [&json](const EvaluatorInfo &info) {
                   json.object([&] { writePlugin(json, info); });
               });
           }))
        + '\n';
}

class PluginsCommand final : public Command
{
public:
    void addOptions(CLI::App &command) override
    {
        addEvaluatorOption(command, m_folders);
        m_license.addTo(command);
        command.add_flag("--json", m_json, "Print one JSON object");
    }

    int execute(Messages &messages) override
    {
        TimerScheduler scheduler;
        const auto license = m_license.provider(scheduler, messages);
        FeatureGate gate;
        gate.setProvider(license.get());
        const std::unique_ptr<EvaluatorHost> host = makeEvaluatorHost(m_folders, gate);
        return print(messages, m_json ? asJson(*host) : asText(*host));
    }

private:
    LicenseOptions m_license;
    QStringList m_folders;
    bool m_json = false;
};

} // namespace

const CommandRow pluginsCommand{
    .name = "plugins",
    .summary = "List custom evaluators, and why others are refused",
    .help =
        R"(Lists the plug-ins by their metadata and location, without running their code. The command's
own folder is searched last.

Examples:
  rekindle plugins
  rekindle plugins --plugins ./my-evaluators
  rekindle plugins --tier Teams
  rekindle plugins --json | jq '.plugins[].id'
)",
    .exitCodes = {{0, "success, even if plug-ins are refused"},
                  {78, "invalid license key, or no state folder for --license"}},
    .make = makeCommand<PluginsCommand>,
};

} // namespace Rekindle

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "agentrelations_p.h"
#include "cli/options/evaluatoroptions_p.h"
#include "cli/options/licenseoptions_p.h"
#include "cli/output/distinctfiles_p.h"
#include "cli/output/svgdrawing_p.h"
#include "cli/output/terminal_p.h"
#include "cli/output/texthelpers_p.h"
#include "command_p.h"
#include "json/jsonnode.h"
#include "json/nearestname.h"

#include <rekindle/config/configuration.h>
#include <rekindle/config/policyargument.h>
#include <rekindle/policy/presets.h>
#include <rekindle/policy/restartplan.h>

#include <algorithm>

namespace Rekindle {

namespace {

constexpr int defaultAttempts = 12;
constexpr int maximumAttempts = 1000;

/// A bar for each attempt with its jitter, and a line where the breaker opens.
class PlanDrawing
{
public:
    explicit PlanDrawing(const RestartPlan &plan)
        : m_plan(plan)
        , m_width(std::max(leastWidth, 2 * left + static_cast<int>(plan.steps.size()) * slot))
        , m_svg(m_width, imageHeight)
    {
        for (const RestartPlan::Step &step : plan.steps)
            m_longest = std::max({m_longest, step.band.greatest, barDelay(step)});
    }

    QByteArray draw()
    {
        m_svg.text(left, 28, "start", 16, "#222222",
                   QStringLiteral("Restart policy %1").arg(m_plan.name));
        axis();
        double center = left + slot / 2.0;
        for (const RestartPlan::Step &each : m_plan.steps) {
            step(each, center);
            center += slot;
        }
        m_svg.text(left, imageHeight - 14, "start", 12, "#222222", m_plan.endText());
        return m_svg.finish();
    }

private:
    static constexpr int left = 70;
    static constexpr int top = 60;
    static constexpr int plotHeight = 260;
    static constexpr int columnWidth = 28;
    static constexpr int slot = 56;
    static constexpr int footer = 70;
    static constexpr int leastWidth = 480;
    static constexpr int imageHeight = top + plotHeight + footer;

    // The time of an open breaker would make the delays invisible.
    static Duration barDelay(const RestartPlan::Step &step)
    {
        return step.kind == RestartPlan::Step::Kind::Restart ? step.delay : Duration{0};
    }

    [[nodiscard]] double heightOf(Duration duration) const
    {
        if (m_longest == Duration{0})
            return 0;
        return plotHeight * static_cast<double>(duration.count())
            / static_cast<double>(m_longest.count());
    }

    void axis()
    {
        constexpr double ground = top + plotHeight;
        m_svg.line(left, ground, m_width - left, ground, "#222222", "none");
        m_svg.text(left - 8, top + 4, "end", 12, "#222222", readable(m_longest));
        m_svg.text(left - 8, ground + 4, "end", 12, "#222222", QStringLiteral("0"));
        m_svg.text(left - 8, ground + 18, "end", 12, "#222222", QStringLiteral("attempt"));
        m_svg.text(left - 8, ground + 34, "end", 12, "#666666", QStringLiteral("after"));
    }

    void step(const RestartPlan::Step &step, double x)
    {
        constexpr double ground = top + plotHeight;
        if (step.kind == RestartPlan::Step::Kind::BreakerOpens) {
            m_svg.line(x, top, x, ground, "#c62828", "6 4");
            m_svg.text(x, top - 8, "middle", 12, "#c62828",
                       QStringLiteral("open for %1").arg(readable(step.delay)));
            return;
        }
        const bool isTrial = step.kind == RestartPlan::Step::Kind::Trial;
        if (isTrial) {
            m_svg.text(x, ground - 8, "middle", 12, "#c62828", QStringLiteral("trial"));
        } else {
            const double greatest = heightOf(step.band.greatest);
            const double least = heightOf(step.band.least);
            m_svg.rectangle(x - columnWidth / 2.0, ground - greatest, columnWidth, greatest - least,
                            "#90caf9");
            m_svg.rectangle(x - columnWidth / 2.0, ground - least, columnWidth, least, "#1565c0");
            m_svg.text(x, ground - greatest - 6, "middle", 12, "#222222", readable(step.delay));
        }
        m_svg.text(x, ground + 18, "middle", 12, "#222222", QString::number(step.attempt));
        m_svg.text(x, ground + 34, "middle", 11, "#666666", readable(step.elapsed));
    }

    const RestartPlan &m_plan;
    const int m_width;
    SvgDrawing m_svg;
    Duration m_longest{0};
};

class PlanCommand final : public Command
{
public:
    void addOptions(CLI::App &command) override
    {
        m_policyOption =
            command.add_option("POLICY", m_policy, "NAME|FILE|JSON; required without --config");
        command.parse_complete_callback([this] {
            if (!hasPolicy() && m_configuration.isEmpty())
                throw CLI::RequiredError("POLICY");
        });
        command
            .add_option(
                "--attempts", m_attempts,
                "Number of attempts to show (default: all that the policy permits, or 12 if these "
                "are more than 30)")
            ->type_name("N")
            ->check(CLI::Range(1, maximumAttempts));
        command.add_flag("--json", m_json, "Print one JSON object");
        addText(command, "--config", m_configuration,
                "POLICY is the name of a policy in this configuration; also show its groups and "
                "dependencies",
                "CONFIG");
        m_license.addTo(command);
        addEvaluatorOption(command, m_pluginFolders);
        addText(command, "--svg", m_svg, "Also draw the schedule into a file", "FILE")
            ->needs(m_policyOption);
    }

    int execute(Messages &messages) override
    {
        Parsed<Configuration> read = m_configuration.isEmpty()
            ? Parsed<Configuration>()
            : loadForHost(m_configuration, m_pluginFolders);
        if (!hasPolicy())
            return printRelations(messages.require(read), messages);
        const QString name = QString::fromStdString(m_policy);
        Parsed<RestartPolicy> parsed =
            m_configuration.isEmpty() ? policyFromArgument(name) : policyIn(read, name);
        const RestartPolicy &policy = messages.require(parsed);
        checkDrawing(parsed.file, messages);
        messages.sayFaults(parsed.warnings, parsed.file);
        const QList<Fault> faults =
            placedFaults(evaluatorFaults(policy, m_pluginFolders), parsed.file);
        messages.sayFaults(faults, parsed.file);
        if (hasErrors(faults))
            return ExitCode::configuration;
        const LicenseTier tier = m_license.tier(messages);
        const RestartPlan plan =
            RestartPlan::of(name.trimmed().startsWith(u'{') ? QStringLiteral("policy") : name,
                            policy, tier, attemptsFor(policy));
        if (!m_svg.isNull())
            saveFile(QLatin1String("--svg"), m_svg, WrittenFile::Drawing, PlanDrawing(plan).draw(),
                     messages);
        const AgentRelations relations(read ? *read.value : Configuration());
        return print(messages, m_json ? jsonOf(plan, relations) : textOf(plan, relations));
    }

private:
    [[nodiscard]] bool hasPolicy() const { return m_policyOption->count() > 0; }

    [[nodiscard]] int printRelations(const Configuration &read, Messages &messages) const
    {
        const AgentRelations relations(read);
        const auto write = [&relations](JsonWriter &json) { relations.writeMembers(json); };
        return print(messages,
                     m_json ? onLines(jsonObject(write)) + '\n'
                            : relations.planText().toLocal8Bit());
    }

    [[nodiscard]] static QByteArray jsonOf(const RestartPlan &plan, const AgentRelations &relations)
    {
        return onLines(jsonObject([&](JsonWriter &json) {
                   writePlan(json, plan);
                   if (!relations.isEmpty())
                       relations.writeMembers(json);
               }))
            + '\n';
    }

    [[nodiscard]] static QByteArray textOf(const RestartPlan &plan, const AgentRelations &relations)
    {
        QString text = toText(plan, barWidth());
        if (!relations.isEmpty())
            text += u'\n' + relations.planText();
        return text.toLocal8Bit();
    }

    [[nodiscard]] static Parsed<RestartPolicy> policyIn(const Parsed<Configuration> &read,
                                                        const QString &name)
    {
        Parsed<RestartPolicy> policy;
        policy.file = read.file;
        policy.faults = read.faults;
        if (!read)
            return policy;
        const QMap<QString, RestartPolicy> &policies = read.value->policies;
        policy.value = policies.contains(name) ? policies[name] : preset(name);
        if (!policy)
            policy.faults.append(Fault{.message = unknownPolicy(*read.value, name)});
        return policy;
    }

    [[nodiscard]] static QString unknownPolicy(const Configuration &read, const QString &name)
    {
        const QStringList own = read.policies.keys();
        QString hint = didYouMean(name, own + presetNames());
        const auto agent = std::ranges::find(read.agents, name, &AgentDefinition::name);
        if (agent != read.agents.end())
            hint = agent->policyName.isEmpty()
                ? QStringLiteral("; \"%1\" is an agent whose policy has no name").arg(name)
                : QStringLiteral("; \"%1\" is an agent with the policy \"%2\"")
                      .arg(name, agent->policyName);
        return QStringLiteral("no policy named \"%1\"; expected a policy of this configuration "
                              "(%2) or a preset (%3)%4")
            .arg(printable(name), own.isEmpty() ? QStringLiteral("it has none") : listed(own),
                 listed(presetNames()), hint);
    }

    [[nodiscard]] int attemptsFor(const RestartPolicy &policy) const
    {
        if (m_attempts > 0)
            return m_attempts;
        // One more than permitted, to show the end.
        constexpr int still = 30;
        return policy.maxRetries && *policy.maxRetries <= still ? *policy.maxRetries + 1
                                                                : defaultAttempts;
    }

    [[nodiscard]] static int barWidth()
    {
        constexpr int beside = 56;
        constexpr int greatest = 60;
        return std::clamp(Terminal::columnsOr(beside) - beside, 0, greatest);
    }

    void checkDrawing(const QString &policyFile, Messages &messages) const
    {
        QList<UsedFile> files = filesRead({policyFile}, QStringLiteral("the policy file"));
        if (!m_svg.isNull())
            files.append({m_svg, QStringLiteral("the drawing"), QStringLiteral("--svg"),
                          WrittenFile::Drawing});
        checkFiles(files, messages);
    }

    LicenseOptions m_license;
    CLI::Option *m_policyOption = nullptr;
    std::string m_policy;
    int m_attempts = 0;
    bool m_json = false;
    QString m_configuration;
    QString m_svg;
    QStringList m_pluginFolders;
};

} // namespace

const CommandRow planCommand{
    .name = "plan",
    .summary = "Show the schedule of a restart policy",
    .help =
        R"(POLICY is the name of a preset, a JSON file or a JSON object. With --config, it is the name of a
policy in this configuration, or of a preset. Warnings are printed on stderr.
With --config, also shows the groups and dependencies of the configuration: the orders of starts and
stops, and what is restarted if a member fails. POLICY can then be omitted.
With --tier or --license, shows the schedule of the policy type that the license tier permits.

Examples:
  rekindle plan default
  rekindle plan watchdog --attempts 20
  rekindle plan default --tier WriterPro
  rekindle plan patient --config agents.json
  rekindle plan --config agents.json
  rekindle plan my-policy.json --svg schedule.svg
  rekindle plan '{"type": "linear", "initialDelay": "2s"}' --json
)",
    .exitCodes = {{1, "FILE or stdout cannot be written"},
                  {78,
                   "invalid policy, configuration or license key, no state folder for --license, "
                   "or FILE belongs to another\nprogram"}},
    .make = makeCommand<PlanCommand>,
};

} // namespace Rekindle

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "configurationreader_p.h"

#include "config/document/includereader_p.h"

#include <utility>

namespace Rekindle {

namespace {

qsizetype errorCount(ConfigurationDocument &main)
{
    qsizetype count = 0;
    forEachDocument(main, [&](const ConfigurationDocument &document) {
        count += document.faults.errorCount();
    });
    return count;
}

void readGovernor(JsonObjectReader &object, GovernorLimits &limits)
{
    object.read("maxStarting", limits.maxStarting, 1, 10'000);
    const auto rate = object.member("rate");
    const auto text = rate ? rate->text() : std::nullopt;
    if (text && !setRate(limits, *text))
        rate->mismatch("a number of starts from 1 to 10000 and a unit, such as \"50/s\", \"30/m\" "
                       "or \"10/h\"");
    object.read("burst", limits.burst, 1, 10'000);
}

// Faults in included files contain the name of their file.
Parsed<Configuration> allFaults(ConfigurationDocument &main)
{
    Parsed<Configuration> result;
    result.file = main.file;
    const auto add = [](QList<Fault> found, const ConfigurationDocument &document,
                        QList<Fault> &target) {
        for (Fault &fault : found) {
            if (document.isIncluded)
                fault.file = document.file;
        }
        target += found;
    };
    forEachDocument(main, [&](ConfigurationDocument &document) {
        const Parsed<bool> own = document.faults.result(true);
        add(own.faults, document, result.faults);
        add(own.warnings, document, result.warnings);
    });
    return result;
}

} // namespace

ConfigurationReader::ConfigurationReader(ProbeKinds kinds)
    : m_kinds(std::move(kinds))
    , m_policies(QDir())
{
}

Parsed<Configuration> ConfigurationReader::read(Parsed<JsonNode> parsed, const QDir &folder,
                                                const QString &path)
{
    ConfigurationDocument main{.file = parsed.file, .folder = folder};
    if (!parsed) {
        Parsed<Configuration> result;
        result.faults = parsed.faults;
        result.file = parsed.file;
        return result;
    }
    main.node = *std::move(parsed.value);
    IncludeReader includes;
    includes.read(main, path);
    // Without a file, names that it defines would be reported as unknown.
    if (includes.isComplete())
        readAll(main);
    m_configuration.includedFiles = includes.files();
    Parsed<Configuration> result = allFaults(main);
    if (result.faults.isEmpty())
        result.value = std::move(m_configuration);
    return result;
}

void ConfigurationReader::readAll(ConfigurationDocument &main)
{
    m_policies.define(main);
    m_configuration.policies = m_policies.policies();
    m_configuration.policyOrigins = m_policies.origins();
    readDocument(main, nullptr);
    m_groups.check(m_configuration.agents);
    m_dependencies.check(m_configuration.agents, m_groups);
    m_breakers.check(m_fleet.fleet().has_value());
    m_fleet.check();
    m_configuration.fleet = m_fleet.fleet();
    m_configuration.groups = m_groups.groups();
    m_configuration.sharedBreakers = m_breakers.breakers();
    m_configuration.sharedBreakerProbes = m_breakers.probes();
    if (!m_hasEntries && main.root().isObject()) {
        const bool hasIncludes = !main.included.empty();
        main.root().at("/agents").fault(
            hasIncludes
                ? QStringLiteral("missing; expected agents or mcpServers in this file or in "
                                 "one that it includes")
                : QStringLiteral("missing; expected agents, mcpServers or include"));
    }
    m_configuration.policyFiles = m_policies.files();
    m_configuration.environmentFiles.removeDuplicates();
    m_configuration.environmentFiles.sort();
    if (errorCount(main) > 0)
        return;
    warnOfMissingGovernor(main);
    m_breakers.warn(m_configuration.groups);
    m_fleet.warn(m_configuration.agents, m_configuration.groups, m_breakers.hasFleetWide());
    forEachDocument(main, [this](ConfigurationDocument &document) {
        if (const auto policies = document.root().member("policies"))
            m_policies.warnOfUnused(*policies);
    });
}

void ConfigurationReader::warnOfMissingGovernor(ConfigurationDocument &main) const
{
    constexpr qsizetype many = 50;
    const qsizetype count = m_configuration.agents.size();
    if (m_configuration.governor || count <= many)
        return;
    main.root().warn(
        QStringLiteral("%1 agents without \"governor\" can all start at the same time; "
                       "to limit that, add \"governor\": { \"maxStarting\": 8 }")
            .arg(count));
}

void ConfigurationReader::readSectionsOfMain(const ConfigurationDocument &document,
                                             JsonObjectReader &object)
{
    const auto section = [&](const char *name) {
        std::optional<JsonPlace> place = object.member(name);
        if (place && document.isIncluded) {
            place->faultAtName("not permitted in an included file; expected in the main file");
            place.reset();
        }
        return place;
    };
    if (const auto place = section("governor"))
        readObject(*place, [this](JsonObjectReader &reader) {
            readGovernor(reader, m_configuration.governor.emplace());
        });
    if (const auto place = section("fleet"))
        m_fleet.read(*place, document.folder);
}

void ConfigurationReader::readDocument(ConfigurationDocument &document, const AgentReader *parent)
{
    JsonObjectReader object(document.root());
    if (const auto schema = object.member("$schema"))
        (void)schema->text(); // for editors
    for (const char *readBefore : {"include", "policies"})
        (void)object.member(readBefore);
    m_policies.setFolder(document.folder);
    AgentReader reader({m_policies, m_names, m_dependencies, m_breakers, m_fleet}, document,
                       m_kinds, parent);
    if (const auto place = object.member("defaults"))
        reader.readDefaults(*place);
    readSectionsOfMain(document, object);
    m_groups.read(object.items("groups"));
    if (const auto place = object.member("sharedBreakers"))
        m_breakers.read(*place, document.folder, m_kinds);
    const auto agents = object.member("agents");
    if (const auto items = agents ? agents->items() : std::nullopt) {
        for (const JsonPlace &item : *items) {
            if (item.faults().isFull())
                break;
            m_configuration.agents.append(reader.read(item));
        }
        if (items->empty())
            agents->fault("expected at least one agent, found none");
    }
    const auto servers = object.member("mcpServers");
    if (servers)
        reader.readServers(*servers, m_configuration.agents);
    m_hasEntries = m_hasEntries || agents || servers;
    object.finish();
    m_configuration.environmentFiles += reader.environmentFiles();
    for (const auto &included : document.included)
        readDocument(*included, &reader);
}

} // namespace Rekindle

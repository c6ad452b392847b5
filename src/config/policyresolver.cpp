// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "policyresolver_p.h"

#include "config/document/jsonfile_p.h"

#include "policy/internal/policykeys.h"
#include "json/nearestname.h"

#include <rekindle/policy/presets.h>
#include <rekindle/policy/validation.h>

namespace Rekindle {

PolicyResolver::PolicyResolver(const QDir &folder, Duration startTimeout)
    : m_folder(folder)
    , m_startTimeout(startTimeout)
    , m_presets(presetNames())
{
}

void PolicyResolver::define(const JsonPlace &policies)
{
    addEntries(policies);
    readEntries(policies);
    finishEntries();
}

void PolicyResolver::define(ConfigurationDocument &main)
{
    QHash<QString, QString> places;
    forEachDocument(main, [&](ConfigurationDocument &document) {
        const auto policies = document.root().member("policies");
        if (!policies)
            return;
        addEntries(*policies);
        for (const JsonPlace &place : policies->members()) {
            const QString &name = place.node().name;
            if (const auto first = places.constFind(name); first != places.constEnd())
                place.faultAtName(QStringLiteral("duplicate name \"%1\", first in %2")
                                      .arg(printable(name), *first));
            else
                places.insert(name, document.placeText(place.node().namePosition));
            if (document.isIncluded)
                m_origins.insert(name, document.file);
        }
    });
    forEachDocument(main, [&](ConfigurationDocument &document) {
        setFolder(document.folder);
        if (const auto policies = document.root().member("policies"))
            readEntries(*policies);
    });
    finishEntries();
}

void PolicyResolver::addEntries(const JsonPlace &policies)
{
    if (!policies.wantObject())
        return;
    for (const JsonPlace &place : policies.members())
        m_entries.insert(place.node().name);
}

void PolicyResolver::readEntries(const JsonPlace &policies)
{
    for (const JsonPlace &place : policies.members()) {
        const QString &name = place.node().name;
        if (m_presets.contains(name))
            place.faultAtName("expected another name than that of a preset");
        else if (nameFault(name) || isPolicyFile(name))
            place.faultAtName(
                "expected a name of 1 to 64 of A-Z a-z 0-9 . _ - that does not end in "
                ".json");
        if (const std::optional<ResolvedPolicy> resolved = resolve(place))
            m_defined.insert(name, resolved->policy);
        else
            m_faulty.insert(name);
    }
}

// The order of the entries does not matter.
void PolicyResolver::finishEntries()
{
    m_policies = m_defined;
    m_entries.clear();
}

QStringList PolicyResolver::files() const
{
    QStringList files = m_files.keys();
    files.sort();
    return files;
}

void PolicyResolver::use(const JsonPlace &place)
{
    if (place.isString())
        m_used.insert(place.node().text);
}

void PolicyResolver::warnOfUnused(const JsonPlace &policies) const
{
    for (const JsonPlace &place : policies.members()) {
        const QString &name = place.node().name;
        if (!m_used.contains(name) && m_policies.contains(name))
            place.warnAtName("this policy is not used");
    }
}

std::optional<ResolvedPolicy> PolicyResolver::resolve(const JsonPlace &place)
{
    if (place.isObject()) {
        const qsizetype before = place.faults().errorCount();
        const RestartPolicy policy = readPolicy(place, m_startTimeout);
        if (place.faults().errorCount() > before || place.faults().isFull())
            return {};
        return ResolvedPolicy{policy, {}};
    }
    if (!place.isString()) {
        place.mismatch("a policy: a name, a file or an object");
        return {};
    }
    if (!place.text())
        return {};
    return isPolicyFile(place.node().text) ? resolveFile(place) : resolveName(place);
}

std::optional<ResolvedPolicy> PolicyResolver::resolveFile(const JsonPlace &place)
{
    const QString &written = place.node().text;
    const QString path = m_folder.absoluteFilePath(written);
    auto found = m_files.constFind(path);
    if (found == m_files.constEnd())
        found = m_files.insert(path, readPolicyFile(path, m_startTimeout));
    place.addFaults(written, found->faults, found->warnings);
    if (!*found)
        return {};
    return ResolvedPolicy{*found->value, written};
}

std::optional<ResolvedPolicy> PolicyResolver::resolveName(const JsonPlace &place)
{
    const QString &name = place.node().text;
    use(place);
    if (const auto own = m_policies.constFind(name); own != m_policies.constEnd())
        return ResolvedPolicy{*own, name};
    if (m_faulty.contains(name) && m_entries.isEmpty())
        return {};
    if (const std::optional<RestartPolicy> found = presetWith(name, m_startTimeout))
        return ResolvedPolicy{*found, name};
    if (m_entries.contains(name)) {
        place.fault(
            QStringLiteral(
                "expected an object, a file or a preset, found \"%1\", another entry of policies")
                .arg(printable(name)));
        return {};
    }
    place.fault(unknownPolicy(name, m_presets + m_policies.keys()));
    return {};
}

bool isPolicyFile(const QString &text)
{
    return text.contains(QLatin1Char('/')) || text.endsWith(QLatin1String(".json"));
}

Parsed<RestartPolicy> readPolicyFile(const QString &path, Duration startTimeout)
{
    return readParsed(readJsonFile(path), [startTimeout](const JsonPlace &place) {
        return readPolicy(place, startTimeout);
    });
}

std::optional<RestartPolicy> presetWith(const QString &name, Duration startTimeout)
{
    std::optional<RestartPolicy> found = preset(name);
    if (found && found->startTimeout == RestartPolicy().startTimeout)
        found->startTimeout = startTimeout;
    return found;
}

QString unknownPolicy(const QString &name, const QStringList &existing)
{
    const QString guess = didYouMean(name, existing);
    return QStringLiteral("unknown policy \"%1\"%2 an object, a file (with \"/\" or \".json\") or "
                          "one of %3")
        .arg(printable(name),
             guess.isEmpty() ? QStringLiteral("; expected") : guess + QLatin1String(" Expected"),
             existing.join(QLatin1String(", ")));
}

} // namespace Rekindle

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/policy/policyjson.h>
#include <rekindle/policy/presets.h>

#include <QDir>
#include <QResource>

// The macro needs the global namespace. Without the call the resources of a static library are not
// linked.
static void initializePresetResource() { Q_INIT_RESOURCE(rekindle_policies); }

namespace Rekindle {

namespace {

const QLatin1String folder(":/rekindle/policies");
const QLatin1String suffix(".json");

} // namespace

QStringList presetNames()
{
    static const bool isInitialized = (initializePresetResource(), true);
    Q_UNUSED(isInitialized)
    QStringList names = QDir(folder).entryList(QDir::Files, QDir::Name);
    for (QString &name : names)
        name.chop(suffix.size());
    names.sort();
    return names;
}

std::optional<RestartPolicy> preset(QStringView name)
{
    const QByteArray json = presetJson(name);
    return json.isEmpty() ? std::nullopt : restartPolicyFromJson(json).value;
}

QByteArray presetJson(QStringView name)
{
    // Only names of the list, because a name from outside could be a path.
    if (!presetNames().contains(name))
        return {};
    return QResource(folder + QLatin1Char('/') + name.toString() + suffix).uncompressedData();
}

} // namespace Rekindle

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "environmentreader_p.h"

#include "environmentfile_p.h"

#include "base/boundedfile_p.h"

namespace Rekindle {

namespace {

struct WrittenPath
{
    std::optional<QString> path; ///< as it was written, with its variables replaced
    bool isOptional = false;
};

// PATH or {"file": PATH, "optional": true}.
WrittenPath readPath(const JsonPlace &place, const ValueVariables &variables)
{
    if (place.isString())
        return {variables.textNotEmpty(place), false};
    if (!place.isObject()) {
        place.mismatch(R"(a path or {"file": PATH, "optional": true})");
        return {};
    }
    WrittenPath result;
    readObject(place, [&](JsonObjectReader &reader) {
        if (const auto file = reader.required("file"))
            result.path = variables.textNotEmpty(*file);
        reader.read("optional", result.isOptional);
    });
    return result;
}

// Variables of defaults are shared until an agent adds its own.
bool claimCopy(const JsonPlace &place, const ProcessDefinition &process)
{
    constexpr qsizetype bytesOfVariable = 100;
    return place.claimMemory(process.environment.size() * bytesOfVariable);
}

std::optional<QString> environmentValue(const JsonPlace &variable, const ValueVariables &variables)
{
    if (variable.isString())
        return variables.text(variable);
    variable.mismatch("a string, or null to remove the variable");
    return {};
}

} // namespace

EnvironmentReader::EnvironmentReader(const QDir &folder)
    : m_folder(folder)
{
}

void EnvironmentReader::read(JsonObjectReader &object, ProcessDefinition &process)
{
    for (const JsonPlace &item : object.items("environmentFiles"))
        readFile(item, process);
    if (const auto place = object.member("environment")) {
        // Without the variables of this object, which has no order.
        const ValueVariables variables(m_folder, process.environment);
        readEnvironment(*place, process, [&](const JsonPlace &variable) {
            return environmentValue(variable, variables);
        });
    }
}

void EnvironmentReader::readFile(const JsonPlace &place, ProcessDefinition &process)
{
    const auto [written, isOptional] =
        readPath(place, ValueVariables(m_folder, process.environment));
    if (!written)
        return;
    if (!claimCopy(place, process))
        return;
    const QString path = m_folder.absoluteFilePath(*written);
    const BoundedFile file = BoundedFile::read(path, EnvironmentFile::maxSize);
    if (file.status == BoundedFile::Status::Missing && isOptional)
        return;
    Parsed<EnvironmentFile::Variables> parsed;
    if (file.isRead()) {
        if (!place.claimMemory(file.bytes.size()))
            return;
        parsed = EnvironmentFile(file.bytes).read();
        m_files.insert(path);
    } else {
        parsed.faults.append({{}, file.error});
    }
    place.addFaults(*written, parsed.faults, parsed.warnings);
    const EnvironmentFile::Variables variables =
        parsed.value.value_or(EnvironmentFile::Variables());
    for (auto variable = variables.begin(); variable != variables.end(); ++variable)
        process.environment.insert(variable.key(), variable.value());
}

QStringList EnvironmentReader::files() const
{
    QStringList files = m_files.values();
    files.sort();
    return files;
}

void readEnvironment(const JsonPlace &place, ProcessDefinition &process,
                     const std::function<std::optional<QString>(const JsonPlace &)> &valueOf)
{
    if (!place.wantObject() || !claimCopy(place, process))
        return;
    for (const JsonPlace &variable : place.members()) {
        const QString &name = variable.node().name;
        if (name.isEmpty() || name.contains(u'=') || name.contains(QChar(u'\0')))
            variable.fault("expected a variable name that is not empty and has no \"=\" "
                           "or null character");
        if (variable.isNull())
            process.environment.insert(name, std::nullopt);
        else if (const std::optional<QString> value = valueOf(variable))
            process.environment.insert(name, value);
    }
}

} // namespace Rekindle

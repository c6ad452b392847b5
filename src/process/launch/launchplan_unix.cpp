// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "launchplan_p.h"

#include "programsearch_p.h"

#include <QFile>

#include <cerrno>
#include <utility>

namespace Rekindle {

LaunchPlan::LaunchPlan(const ProcessDefinition &definition)
    : m_definition(definition)
    , m_environment(definition.environment)
    , m_workingDirectory(QFile::encodeName(definition.workingDirectory))
{
    m_argumentTexts.push_back(QFile::encodeName(definition.program));
    for (const QString &argument : definition.arguments)
        m_argumentTexts.push_back(argument.toLocal8Bit());
    for (QByteArray &text : m_argumentTexts)
        m_arguments.push_back(text.data());
    m_arguments.push_back(nullptr);
}

std::optional<LaunchFault> LaunchPlan::prepare()
{
    if (!m_program.isEmpty())
        return std::nullopt;
    const auto fault = [](const QString &text) {
        return LaunchFault{LaunchFault::Step::Definition, 0, text};
    };
    if (const auto name = ChildEnvironment::firstFault(m_definition.environment))
        return fault(QStringLiteral("Environment: \"%1\" cannot be set").arg(*name));
    for (const QByteArray &text : m_argumentTexts) {
        if (text.contains('\0'))
            return fault(QStringLiteral("An argument has a NUL in it"));
    }
    if (m_workingDirectory.contains('\0'))
        return fault(QStringLiteral("The working directory has a NUL in it"));
    return findProgram();
}

std::optional<LaunchFault> LaunchPlan::findProgram()
{
    ProgramSearch found = ProgramSearch::find(m_argumentTexts.front(), m_environment.value("PATH"));
    if (found.error != 0)
        return LaunchFault{LaunchFault::Step::Program, found.error, m_definition.program};
    m_program = std::move(found.path);
    return std::nullopt;
}

std::variant<LaunchResult, LaunchFault>
LaunchPlan::launch(LaunchRequest request, std::initializer_list<QByteArray> extraEnvironment)
{
    static thread_local std::vector<char *> environment;
    environment.assign(m_environment.entries().begin(), m_environment.entries().end());
    for (const QByteArray &entry : extraEnvironment) {
        if (!entry.isEmpty())
            environment.push_back(const_cast<char *>(entry.constData()));
    }
    environment.push_back(nullptr);

    request.program = m_program.constData();
    request.arguments = m_arguments.data();
    request.environment = environment.data();
    request.workingDirectory =
        m_workingDirectory.isEmpty() ? nullptr : m_workingDirectory.constData();
    LaunchResult result = Rekindle::launch(request);
    if (result.failedStep == LaunchResult::Step::Execute) {
        // The program may have been moved to another folder of PATH.
        const QByteArray tried = std::exchange(m_program, {});
        if (auto fault = findProgram())
            return *fault;
        if (m_program != tried) {
            request.program = m_program.constData();
            result = Rekindle::launch(request);
        }
    }
    if (result.failedStep != LaunchResult::Step::None)
        return faultOf(result);
    return result;
}

LaunchFault LaunchPlan::faultOf(const LaunchResult &result) const
{
    if (result.failedStep == LaunchResult::Step::Directory)
        return {LaunchFault::Step::Directory, result.error, m_definition.workingDirectory};
    if (result.failedStep == LaunchResult::Step::Resources)
        return {LaunchFault::Step::Resources, result.error, {}};
    QString program = m_definition.program;
    if (result.error == ENOENT)
        program += QStringLiteral(" (or its interpreter)");
    return {LaunchFault::Step::Program, result.error, program};
}

} // namespace Rekindle

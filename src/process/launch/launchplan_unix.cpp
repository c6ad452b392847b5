// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "launchplan_p.h"

#include "process/definition/resourcelimit_p.h"
#include "programsearch_p.h"

#include <QFile>

#include <cerrno>
#include <iterator>
#include <utility>

namespace Rekindle {

namespace {

// For messages: `user "web", group "www"`.
QString toText(const ProcessIdentity &identity)
{
    QStringList texts;
    if (!identity.user.isEmpty())
        texts.append(QStringLiteral("user \"%1\"").arg(identity.user));
    if (!identity.group.isEmpty())
        texts.append(QStringLiteral("group \"%1\"").arg(identity.group));
    return texts.join(QLatin1String(", "));
}

} // namespace

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
            return fault(QStringLiteral("An argument contains a null character"));
    }
    if (m_workingDirectory.contains('\0'))
        return fault(QStringLiteral("The working directory contains a null character"));
    m_limits.clear();
    for (auto limit = m_definition.limits.begin(); limit != m_definition.limits.end(); ++limit) {
        const std::optional<int> resource = resourceNamed(limit.key());
        if (!resource)
            return fault(QStringLiteral("Limit \"%1\" does not exist").arg(limit.key()));
        m_limits.push_back({*resource, *limit});
    }
    if (auto found = findIdentity())
        return found;
    return findProgram();
}

std::optional<LaunchFault> LaunchPlan::findIdentity()
{
    if (m_definition.identity.isEmpty() || m_credentials)
        return std::nullopt;
    auto found = Credentials::of(m_definition.identity);
    if (const auto *error = std::get_if<Credentials::Error>(&found)) {
        if (error->number != 0)
            return LaunchFault{LaunchFault::Step::Setting, error->number,
                               toText(m_definition.identity)};
        return LaunchFault{LaunchFault::Step::Definition, 0,
                           error->fault.key + QLatin1String(": ") + error->fault.message};
    }
    m_credentials = std::get<Credentials>(std::move(found));
    ChildEnvironment::Changes changes = m_credentials->variables();
    changes.insert(m_definition.environment);
    m_environment = ChildEnvironment(changes);
    return std::nullopt;
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
    const std::optional<ChildIdentity> identity =
        m_credentials ? m_credentials->forChild() : std::nullopt;
    request.identity = identity ? &*identity : nullptr;
    request.umask = m_definition.umask.value_or(-1);
    request.nice = m_definition.nice ? &*m_definition.nice : nullptr;
    request.limits = m_limits.data();
    request.limitCount = m_limits.size();
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
    const auto setting = [&](const QString &subject) {
        return LaunchFault{LaunchFault::Step::Setting, result.error, subject};
    };
    switch (result.failedStep) {
    case LaunchResult::Step::Resources:
        return {LaunchFault::Step::Resources, result.error, {}};
    case LaunchResult::Step::KillTime:
        return {LaunchFault::Step::KillDeadline, 0, QStringLiteral("it has passed")};
    case LaunchResult::Step::Cgroup:
        return setting(QStringLiteral("limits.cgroup"));
    case LaunchResult::Step::Limit: {
        const auto limit =
            std::next(m_definition.limits.begin(), static_cast<qsizetype>(result.failedLimit));
        return setting(QStringLiteral("limits.rlimits.%1 %2").arg(limit.key(), limit->toString()));
    }
    case LaunchResult::Step::Nice:
        return setting(QStringLiteral("nice %1").arg(m_definition.nice.value_or(0)));
    case LaunchResult::Step::Identity:
        return setting(toText(m_definition.identity));
    case LaunchResult::Step::Directory:
        return {LaunchFault::Step::Directory, result.error, m_definition.workingDirectory};
    case LaunchResult::Step::Execute:
    case LaunchResult::Step::None:
        break;
    }
    QString program = m_definition.program;
    if (result.error == ENOENT)
        program += QStringLiteral(" (or its interpreter)");
    return {LaunchFault::Step::Program, result.error, program};
}

} // namespace Rekindle

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "cli/commands/commandline_p.h"
#include "cli/host/orphanreaper_p.h"
#include "cli/output/messages_p.h"
#include "plugin/internal/plugincrash.h"

#include <QCoreApplication>
#include <QLoggingCategory>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace {

using namespace Rekindle;

// The first file that is opened would get the number of a closed standard descriptor, and output
// for stdout would be written into a store. A placeholder that cannot be used in the intended
// direction takes its place.
void prepareDescriptors()
{
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(descriptor, F_GETFD) < 0 && errno == EBADF)
            (void)::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
}

void prepareSignals()
{
    // A closed pipe, the limit of the file size or a terminal in the hands of another process must
    // not end or stop this process. Children start with the defaults.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    std::signal(SIGTTOU, SIG_IGN);
    // The parent may have set it to ignored, which would hide the exit codes of children.
    std::signal(SIGCHLD, SIG_DFL);
    PluginCrash::reportOnStderr();
}

// With Qt's own event dispatcher instead of GLib's, which takes longer for each event. Children
// inherit the environment as it was. Qt may warn about the locale, which does not concern this
// command.
std::unique_ptr<QCoreApplication> makeApplication(int &argumentCount, char **arguments)
{
    constexpr char withoutGlib[] = "QT_NO_GLIB";
    const bool wasSet = qEnvironmentVariableIsSet(withoutGlib);
    if (!wasSet)
        qputenv(withoutGlib, "1");
    qInstallMessageHandler([](QtMsgType, const QMessageLogContext &, const QString &) {});
    auto application = std::make_unique<QCoreApplication>(argumentCount, arguments);
    qInstallMessageHandler(nullptr);
    if (!wasSet)
        qunsetenv(withoutGlib);
    return application;
}

} // namespace

int main(int argc, char **argv)
{
    prepareDescriptors();
    prepareSignals();
    if (const std::optional<int> code = reapOrphans())
        return *code;
    CommandLine commandLine(argc, argv);
    std::optional<int> code = commandLine.parse();
    if (!code)
        code = commandLine.selected().prepare();
    if (code)
        return *code;

    // Qt would remove its own options from the arguments.
    int ownCount = 1;
    const std::unique_ptr<QCoreApplication> application = makeApplication(ownCount, argv);
    // The command has its own messages for restarts. QT_LOGGING_RULES can override this.
    QLoggingCategory::setFilterRules(QStringLiteral("rekindle.restart=false"));
    Messages messages;
    try {
        return commandLine.selected().execute(messages);
    } catch (const CommandFailure &failure) {
        return failure.exitCode;
    }
}

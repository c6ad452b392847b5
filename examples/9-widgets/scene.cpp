// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "scene.h"

#include <QCommandLineParser>
#include <QFileInfo>
#include <QGuiApplication>
#include <QImage>
#include <QPalette>
#include <QTextStream>
#include <QTimer>

#include <cstdlib>

using namespace std::chrono_literals;

namespace {

constexpr QLatin1String languageServer("language-server");

[[noreturn]] void leave(const QString &text, int code)
{
    QTextStream(code == 0 ? stdout : stderr) << text << Qt::endl;
    std::exit(code);
}

} // namespace

Scene::Scene(int argc, char **argv)
{
    QStringList arguments;
    for (int index = 0; index < argc; ++index)
        arguments += QString::fromLocal8Bit(argv[index]);
    const QString name = QFileInfo(arguments.value(0)).fileName();

    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral(
        "Supervises three agents and shows them in a window. Without a display, only "
        "--shoot is possible, which then uses QT_QPA_PLATFORM=offscreen."));
    parser.addOptions({
        {QStringLiteral("shoot"),
         QStringLiteral("Causes some failures, writes a screenshot and exits."),
         QStringLiteral("file.png")},
        {QStringLiteral("dark"), QStringLiteral("Uses dark colors.")},
        {{QStringLiteral("h"), QStringLiteral("help")}, QStringLiteral("Shows this help.")},
    });
    const bool isValid = parser.parse(arguments);
    if (parser.isSet(QStringLiteral("help")))
        leave(parser.helpText().trimmed().replace(QLatin1String("<executable_name>"), name), 0);
    const QStringList rest = parser.positionalArguments();
    m_picture = parser.value(QStringLiteral("shoot"));
    m_isDark = parser.isSet(QStringLiteral("dark"));
    QString fault = isValid ? QString() : parser.errorText();
    if (isValid && !rest.isEmpty())
        fault = QStringLiteral("Unexpected argument '%1'.").arg(rest.first());
    else if (isValid && parser.isSet(QStringLiteral("shoot")) && m_picture.isEmpty())
        fault = QStringLiteral("Missing file name after '--shoot'.");
    if (!fault.isEmpty())
        leave(QStringLiteral("%1: %2 --help lists the options.").arg(name, fault), 2);

    if (qEnvironmentVariableIsEmpty("DISPLAY") && qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY")
        && qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) {
        if (m_picture.isEmpty())
            leave(QStringLiteral("%1: There is no display. To take a screenshot, use --shoot FILE, "
                                 "which sets QT_QPA_PLATFORM=offscreen.")
                      .arg(name),
                  1);
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
}

void Scene::setColors() const
{
    if (!m_isDark)
        return;
    QPalette palette(QColor(0x35, 0x35, 0x35), QColor(0x2b, 0x2b, 0x2b));
    palette.setColor(QPalette::Base, QColor(0x1e, 0x1e, 0x1e));
    palette.setColor(QPalette::Highlight, QColor(0x2a, 0x5d, 0x8c));
    palette.setColor(QPalette::HighlightedText, Qt::white);
    palette.setColor(QPalette::Link, QColor(0x7a, 0xb8, 0xf5));
    QGuiApplication::setPalette(palette);
}

void Scene::play(Rekindle::AgentSupervisor &supervisor, DemoAgents &agents,
                 std::function<QImage()> grab, std::function<void()> close)
{
    if (m_picture.isEmpty())
        return;
    m_isMissing = true;
    using Defect = DemoAgents::Defect;
    const auto starts = std::make_shared<QHash<QString, int>>();
    QObject::connect(&supervisor, &Rekindle::AgentSupervisor::agentReady, &agents,
                     [&agents, starts](const Rekindle::AgentReady &event) {
                         const int start = ++(*starts)[event.agent];
                         if (event.agent == languageServer && start == 1)
                             agents.damage(event.instanceId, Defect::Hang);
                         else if (start <= (event.agent == QLatin1String("index") ? 3 : 2))
                             agents.damage(event.instanceId, Defect::Crash);
                     });
    // The screenshot shows a planned restart: the second one of the server.
    QObject::connect(&supervisor, &Rekindle::AgentSupervisor::restartScheduled, &agents,
                     [=, this, &agents](const Rekindle::RestartScheduled &event) {
                         if (event.agent != languageServer || starts->value(event.agent) < 2)
                             return;
                         // The views update within this time.
                         QTimer::singleShot(300ms, &agents, [=, this] {
                             m_isMissing = !grab().save(m_picture);
                             if (m_isMissing)
                                 qWarning("%s cannot be written", qPrintable(m_picture));
                             close();
                         });
                     });
    QTimer::singleShot(60s, &agents, close);
}

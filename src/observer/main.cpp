// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "observer/observerhosts_p.h"
#include "observer/observeroptions_p.h"
#include "observer/observerwindow_p.h"

#include <rekindle/models/translations.h>

#include <QApplication>

#include <cstdio>

#include <sysexits.h>

namespace {

using namespace Rekindle;

void shoot(ObserverWindow &window, const QString &file)
{
    if (window.grab().save(file, "PNG")) {
        QCoreApplication::exit(EX_OK);
        return;
    }
    std::fprintf(stderr, "rekindle-observer: %s\n",
                 qPrintable(ObserverOptions::tr("%1 cannot be written").arg(file)));
    QCoreApplication::exit(EX_CANTCREAT);
}

// Selects an agent, and takes the picture when its explanation has arrived.
void prepareShot(ObserverWindow &window, const QString &file)
{
    QTreeView &tree = window.tree();
    QModelIndex index = tree.currentIndex();
    while (index.isValid() && ObserverTreeModel::agent(index).isNull())
        index = tree.indexBelow(index);
    if (index.isValid())
        tree.setCurrentIndex(index);
    constexpr std::chrono::milliseconds explanationTime{500};
    QTimer::singleShot(explanationTime, &window, [&window, file] { shoot(window, file); });
}

int run(const ObserverOptions &options)
{
    const ObserverHosts hosts(options.hosts());
    ObserverWindow window(hosts);
    if (options.picture().isEmpty()) {
        window.restoreLayout();
    } else if (hosts.hasAllResponses()) {
        prepareShot(window, options.picture());
    } else {
        const auto prepare = [&] { prepareShot(window, options.picture()); };
        QObject::connect(&hosts, &ObserverHosts::allResponded, &window, prepare,
                         Qt::QueuedConnection);
    }
    window.show();
    return QApplication::exec();
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication::setOrganizationName(QStringLiteral("Rekindle"));
    QCoreApplication::setApplicationName(QStringLiteral("rekindle-observer"));
    ObserverOptions options;
    {
        // --help works without a display.
        const QCoreApplication application(argc, argv);
        (void)installTranslations();
        if (const std::optional<int> code = options.parse(QCoreApplication::arguments()))
            return *code;
    }
    const auto isUnset = [](const char *name) { return qEnvironmentVariableIsEmpty(name); };
    if (!options.picture().isEmpty() && isUnset("DISPLAY") && isUnset("WAYLAND_DISPLAY")
        && isUnset("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    int ownCount = 1;
    const QApplication application(ownCount, argv);
    (void)installTranslations();
    return run(options);
}

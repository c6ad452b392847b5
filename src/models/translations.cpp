// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include <rekindle/models/translations.h>

#include <QCoreApplication>
#include <QPointer>
#include <QTranslator>

#include <memory>

// It must be outside of a namespace.
static void initializeTranslations() { Q_INIT_RESOURCE(rekindle_translations); }

namespace Rekindle {

bool installTranslations(const QLocale &locale)
{
    initializeTranslations();
    static QPointer<QTranslator> installed;
    delete installed; // it also removes itself from the application
    auto translator = std::make_unique<QTranslator>();
    const QStringList languages = locale.uiLanguages();
    for (const QString &each : languages) {
        const QLocale language(each);
        if (language.language() == QLocale::English || language.language() == QLocale::C)
            return false; // the language of the source
        if (!translator->load(language, QStringLiteral("rekindle"), QStringLiteral("_"),
                              QStringLiteral(":/rekindle/translations")))
            continue;
        installed = translator.release();
        installed->setParent(QCoreApplication::instance());
        return QCoreApplication::installTranslator(installed);
    }
    return false;
}

} // namespace Rekindle

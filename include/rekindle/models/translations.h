// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/models/export.h>

#include <QLocale>

namespace Rekindle {

/// Installs the translation of all texts of Rekindle, for the first UI language of the locale that
/// has one, and removes the translation of an earlier call. Returns false if the texts are English.
/// Call it in the thread of the QCoreApplication, before views are created.
REKINDLE_MODELS_EXPORT bool installTranslations(const QLocale &locale = QLocale());

} // namespace Rekindle

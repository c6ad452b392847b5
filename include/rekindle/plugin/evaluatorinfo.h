// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/plugin/export.h>

#include <QJsonObject>
#include <QMetaType>
#include <QObject>
#include <QString>

namespace Rekindle {

/// A plug-in that was found: its metadata, and whether it can be used. Its code was not loaded.
struct EvaluatorInfo
{
    Q_GADGET_EXPORT(REKINDLE_PLUGIN_EXPORT)
    Q_CLASSINFO("RegisterEnumClassesUnscoped", "false")

public:
    enum class State {
        Allowed,  ///< it can be called
        Gated,    ///< the license tier does not permit it; base types decide
        Rejected, ///< it is rejected and never loaded
    };
    Q_ENUM(State)

    QString file{}; ///< canonical path; for a rejected folder, the folder
    QString id{};   ///< the id that policies use; empty if it is invalid
    QString version{};
    QString description{};
    QString tier{}; ///< the lowest license tier that permits it
    int apiFrom = 0;
    int apiTo = 0;
    QJsonObject parameterSchema{};
    State state = State::Rejected;
    QString reason{}; ///< why it is not Allowed; a sentence without a period

    bool operator==(const EvaluatorInfo &) const = default;
};

} // namespace Rekindle

Q_DECLARE_METATYPE(Rekindle::EvaluatorInfo)

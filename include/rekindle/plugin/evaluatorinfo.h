// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QJsonObject>
#include <QMetaType>
#include <QString>

namespace Rekindle {

/// A plug-in as it was found: what its metadata says, and whether it may be used. None of its code
/// has been loaded for that.
struct EvaluatorInfo
{
    enum class State {
        Allowed, ///< it may be asked
        Gated,   ///< the licence tier does not have it; base types decide
        Refused, ///< it will not be loaded
    };

    QString file{}; ///< the canonical path; of a folder that is refused, the folder
    QString id{};   ///< what a policy names it by; empty if there is no legal one
    QString version{};
    QString description{};
    QString tier{}; ///< the least licence tier that it asks for
    int apiFrom = 0;
    int apiTo = 0;
    QJsonObject parameterSchema{};
    State state = State::Refused;
    QString reason{}; ///< why it is not allowed: a sentence without its end

    bool operator==(const EvaluatorInfo &) const = default;
};

} // namespace Rekindle

Q_DECLARE_METATYPE(Rekindle::EvaluatorInfo)

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "json/jsonplace.h"

#include <QDir>
#include <QString>

#include <memory>
#include <vector>

namespace Rekindle {

/// One file of a configuration and the files that it includes.
struct ConfigurationDocument
{
    QString file; ///< for messages
    QDir folder;
    bool isIncluded = false;
    JsonNode node{};
    JsonFaults faults{};
    std::vector<std::unique_ptr<ConfigurationDocument>> included{};

    [[nodiscard]] JsonPlace root() { return {node, {}, faults}; }

    /// FILE:LINE:COLUMN.
    [[nodiscard]] QString placeText(JsonPosition position) const
    {
        const QString place = QStringLiteral("%1:%2").arg(position.line).arg(position.column);
        return file.isEmpty() ? place : file + u':' + place;
    }
};

/// Calls `visit` with the document and then with all that it includes, in their order.
void forEachDocument(ConfigurationDocument &document, const auto &visit)
{
    visit(document);
    for (const auto &included : document.included)
        forEachDocument(*included, visit);
}

} // namespace Rekindle

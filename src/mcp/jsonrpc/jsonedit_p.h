// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "jsonscanner_p.h"

#include <QByteArray>
#include <QByteArrayView>

#include <vector>

namespace Rekindle {

/// Changes single members of a JSON text and leaves every other byte as it is. Places are those of
/// the text before all changes; two changes must not touch the same place.
class JsonEdit
{
public:
    explicit JsonEdit(QByteArray text);

    [[nodiscard]] const QByteArray &text() const { return m_text; }

    /// The member of the object gets this value, or is added at its end. Not an object: nothing.
    void setMember(JsonSpan object, QByteArrayView name, const QByteArray &value);

    /// Adds items, separated by commas, at the end of the array. Not an array: nothing.
    void append(JsonSpan array, const QByteArray &items);

    /// The changed text.
    [[nodiscard]] QByteArray result() const;

private:
    struct Change
    {
        JsonSpan place; ///< of size 0: put in before it
        QByteArray bytes;
    };

    [[nodiscard]] bool isContainer(JsonSpan value, char opening) const;
    void addAtEnd(JsonSpan container, QByteArray bytes);

    QByteArray m_text;
    std::vector<Change> m_changes;
};

} // namespace Rekindle

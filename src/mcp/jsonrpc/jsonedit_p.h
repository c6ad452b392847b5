// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include "json/jsonscanner.h"

#include <QByteArray>
#include <QByteArrayView>

#include <functional>
#include <vector>

namespace Rekindle {

/// Changes single members of a JSON text and preserves every other byte. Spans refer to the
/// original text. Two changes must not overlap.
class JsonEdit
{
public:
    explicit JsonEdit(QByteArray text);

    /// Sets the member of the object, or adds it at the end. Does nothing if it is not an object.
    void setMember(JsonSpan object, QByteArrayView name, const QByteArray &value);

    /// Adds items, separated by commas, at the end of the array. Does nothing if it is not an
    /// array.
    void append(JsonSpan array, const QByteArray &items);

    [[nodiscard]] QByteArray result() const;

private:
    struct Change
    {
        JsonSpan place; ///< size 0: an insertion
        QByteArray bytes;
    };

    [[nodiscard]] bool isContainer(JsonSpan value, char opening) const;
    void addAtEnd(JsonSpan container, QByteArray bytes);

    QByteArray m_text;
    std::vector<Change> m_changes;
};

/// The text with one member set, as by JsonEdit::setMember().
[[nodiscard]] QByteArray withMember(const QByteArray &text, JsonSpan object, QByteArrayView name,
                                    const QByteArray &value);

/// The object without some of its members, which are named by their unescaped keys. Empty if the
/// text is not an object.
[[nodiscard]] QByteArray
withoutMembers(QByteArrayView object, const std::function<bool(const QByteArray &name)> &isRemoved);

} // namespace Rekindle

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "jsonedit_p.h"

#include <QStringBuilder>

#include <algorithm>
#include <utility>

namespace Rekindle {

JsonEdit::JsonEdit(QByteArray text)
    : m_text(std::move(text))
{
}

bool JsonEdit::isContainer(JsonSpan value, char opening) const
{
    return value.isPresent() && value.size >= 2 && m_text.at(value.offset) == opening;
}

void JsonEdit::setMember(JsonSpan object, QByteArrayView name, const QByteArray &value)
{
    if (!isContainer(object, '{'))
        return;
    const JsonSpan old = jsonMember(m_text, object, name);
    if (old.isPresent())
        m_changes.push_back({old, value});
    else
        addAtEnd(object, QByteArray(1, '"').append(name).append("\":").append(value));
}

void JsonEdit::append(JsonSpan array, const QByteArray &items)
{
    if (isContainer(array, '['))
        addAtEnd(array, items);
}

void JsonEdit::addAtEnd(JsonSpan container, QByteArray bytes)
{
    const qsizetype end = container.offset + container.size - 1;
    const QByteArrayView inside =
        QByteArrayView(m_text).sliced(container.offset + 1, container.size - 2);
    const auto sameEnd = [end](const Change &change) {
        return change.place.offset == end && change.place.size == 0;
    };
    const bool isFirst =
        inside.trimmed().isEmpty() && std::none_of(m_changes.begin(), m_changes.end(), sameEnd);
    if (!isFirst)
        bytes.prepend(',');
    m_changes.push_back({{end, 0}, std::move(bytes)});
}

QByteArray JsonEdit::result() const
{
    std::vector<Change> changes = m_changes;
    std::stable_sort(changes.begin(), changes.end(), [](const Change &one, const Change &other) {
        return one.place.offset < other.place.offset;
    });
    QByteArray result;
    qsizetype from = 0;
    for (const Change &change : changes) {
        result.append(m_text.constData() + from, change.place.offset - from);
        result += change.bytes;
        from = change.place.offset + change.place.size;
    }
    result.append(m_text.constData() + from, m_text.size() - from);
    return result;
}

QByteArray withMember(const QByteArray &text, JsonSpan object, QByteArrayView name,
                      const QByteArray &value)
{
    JsonEdit edit(text);
    edit.setMember(object, name, value);
    return edit.result();
}

QByteArray withoutMembers(QByteArrayView object,
                          const std::function<bool(const QByteArray &name)> &isRemoved)
{
    JsonScanner scanner(object);
    if (!scanner.enterObject())
        return {};
    QByteArray members;
    JsonSpan key;
    JsonSpan value;
    while (scanner.nextMember(key, value) == JsonScanner::Step::Member) {
        if (const auto name = jsonStringText(key.of(object)); name && isRemoved(*name))
            continue;
        if (!members.isEmpty())
            members += ',';
        members.append(key.of(object)).append(':').append(value.of(object));
    }
    return '{' + members + '}';
}

} // namespace Rekindle

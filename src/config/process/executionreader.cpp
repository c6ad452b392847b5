// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "executionreader_p.h"

#include <QRegularExpression>

namespace Rekindle {

namespace {

void readIdentity(JsonObjectReader &object, ProcessIdentity &identity)
{
    const auto user = object.member("user");
    const auto group = object.member("group");
    const auto userName = user ? user->textNotEmpty() : std::nullopt;
    const auto groupName = group ? group->textNotEmpty() : std::nullopt;
    if (!userName && !groupName)
        return;
    identity.user = userName.value_or(identity.user);
    identity.group = groupName.value_or(identity.group);
    // One of the keys can be in `defaults`.
    if (const auto fault = identity.findFault())
        object.object().at(u'/' + fault->key).fault(fault->message);
    else if (!identity.isPermitted())
        (userName ? user : group)
            ->warn("every start fails: only root can start a process as another user or group");
}

// A text, because JSON numbers are not octal.
void readUmask(JsonObjectReader &object, std::optional<int> &umask)
{
    static const QRegularExpression octal(QStringLiteral("^0?[0-7]{1,3}\\z"));
    const auto place = object.member("umask");
    if (!place)
        return;
    if (place->isString() && octal.match(place->node().text).hasMatch())
        umask = place->node().text.toInt(nullptr, 8);
    else
        place->mismatch(R"(an octal number in quotes, "0" to "0777")");
}

} // namespace

void readExecution(JsonObjectReader &object, ProcessDefinition &process)
{
    readIdentity(object, process.identity);
    readUmask(object, process.umask);
    object.read("nice", process.nice, -20, 19);
}

} // namespace Rekindle

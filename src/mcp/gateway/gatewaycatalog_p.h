// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <rekindle/mcp/toolcatalog.h>

#include <QByteArray>
#include <QHash>
#include <QLatin1String>
#include <QStringList>

#include <array>
#include <optional>
#include <vector>

namespace Rekindle {

/// What servers list, and a gateway lists for them all.
enum class GatewayList { Tools, Prompts, Resources, Templates };
inline constexpr int gatewayListCount = 4;

[[nodiscard]] QLatin1String gatewayListMethod(GatewayList kind);
/// Nothing for templates, which have no notification of their own.
[[nodiscard]] QLatin1String gatewayListChangedMethod(GatewayList kind);
/// The member of the result.
[[nodiscard]] QLatin1String gatewayListMember(GatewayList kind);

/// One entry of a list, as its server wrote it.
struct GatewayEntry
{
    QByteArray key{};  ///< its name, URI or URI template, unescaped
    QByteArray json{}; ///< all of it

    bool operator==(const GatewayEntry &) const = default;
};

/// One page of a list.
struct GatewayPage
{
    std::vector<GatewayEntry> entries{};
    QByteArray nextCursor{}; ///< JSON text; empty on the last page
};

/// Reads the result of a list request; nothing where it is none.
[[nodiscard]] std::optional<GatewayPage> readGatewayPage(GatewayList kind, QByteArrayView result);

/// What all servers of a gateway have, under names that are unique and stay (spec 9). Names are
/// given when somebody first sees or wants them, in the order of the file: until then it does not
/// matter which server was up first.
class GatewayCatalog
{
public:
    /// Whose it is: the place of the server in the file, and what that calls it.
    struct Owner
    {
        int server = 0;
        QByteArray key{};
        bool operator==(const Owner &) const = default;
    };

    explicit GatewayCatalog(const QStringList &servers);

    /// What a server has now. What it had before keeps its names. True if this is something new.
    bool set(int server, GatewayList kind, std::vector<GatewayEntry> entries);

    /// The items of all, as JSON with commas between them.
    [[nodiscard]] QByteArray items(GatewayList kind);

    // Who has it now; nothing if nobody has.
    [[nodiscard]] std::optional<Owner> tool(const QByteArray &name);
    [[nodiscard]] std::optional<Owner> prompt(const QByteArray &name);
    /// Also of a URI that only fits a template.
    [[nodiscard]] std::optional<Owner> resource(const QByteArray &uri) const;
    [[nodiscard]] std::optional<Owner> resourceTemplate(const QByteArray &uriTemplate) const;

    /// The names of tools that are not their own, as another server has these; since the last call.
    [[nodiscard]] QStringList takeNewNames();

private:
    using Entries = std::vector<GatewayEntry>;

    [[nodiscard]] static QStringList prefixesOf(const QStringList &servers);
    [[nodiscard]] ToolCatalog &names(GatewayList kind);
    void giveNames(GatewayList kind);
    [[nodiscard]] QByteArray namedItems(GatewayList kind);
    [[nodiscard]] QByteArray plainItems(GatewayList kind);
    [[nodiscard]] std::optional<Owner> find(GatewayList kind, const QByteArray &name);
    [[nodiscard]] std::optional<Owner> first(GatewayList kind, const QByteArray &key) const;

    const QStringList m_prefixes; ///< what stands before the double underscore
    std::array<std::vector<Entries>, gatewayListCount> m_entries;
    std::array<bool, gatewayListCount> m_isNamed{}; ///< nothing has changed since
    ToolCatalog m_tools;
    ToolCatalog m_prompts;
    QStringList m_newNames; ///< that were told
};

} // namespace Rekindle

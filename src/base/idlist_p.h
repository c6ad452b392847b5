// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT
#pragma once

#include <QHash>
#include <QList>
#include <QSet>
#include <QUuid>

#include <iterator>
#include <list>
#include <utility>

namespace Rekindle {

/// Objects with a member `id`, or pointers to such objects, in the order in which they were added.
/// An object stays at its address until it is removed.
template<typename T>
class IdList
{
public:
    IdList() = default;
    Q_DISABLE_COPY_MOVE(IdList)
    ~IdList() = default;

    /// The id of the new object must not be in the list.
    template<typename... Args>
    T &add(Args &&...args)
    {
        T &added = m_items.emplace_back(std::forward<Args>(args)...);
        m_index.insert(idOf(added), std::prev(m_items.end()));
        m_ids.clear();
        return added;
    }

    /// Null if the id is unknown. Agents that start or fail together usually do so in the order of
    /// the list, so the object that was found last and the next one are compared first.
    [[nodiscard]] T *find(const QUuid &id) const
    {
        const auto matches = [&] { return m_last != m_items.end() && idOf(*m_last) == id; };
        if (matches())
            return &*m_last;
        if (m_last != m_items.end()) {
            ++m_last;
            if (matches())
                return &*m_last;
        }
        const auto it = m_index.constFind(id);
        if (it == m_index.cend())
            return nullptr;
        m_last = *it;
        return &*m_last;
    }
    [[nodiscard]] bool contains(const QUuid &id) const { return find(id) != nullptr; }

    /// Returns a list of the removed object, which is empty if the id is unknown.
    std::list<T> take(const QUuid &id)
    {
        std::list<T> taken;
        if (!contains(id))
            return taken;
        m_index.remove(id);
        m_ids.clear();
        taken.splice(taken.end(), m_items, std::exchange(m_last, m_items.end()));
        return taken;
    }

    /// Puts these objects, which are in the list, into this order. The others keep their places.
    void arrange(const QList<QUuid> &order)
    {
        const QSet<QUuid> moved(order.begin(), order.end());
        auto next = order.begin();
        std::list<T> arranged;
        const QList<QUuid> before = ids();
        for (const QUuid &id : before) {
            const QUuid &placed = moved.contains(id) ? *next++ : id;
            arranged.splice(arranged.end(), m_items, *m_index.constFind(placed));
        }
        m_items.splice(m_items.end(), arranged);
        m_ids.clear();
    }

    void clear()
    {
        m_index.clear();
        m_items.clear();
        m_last = m_items.end();
        m_ids.clear();
    }

    /// Returns the ids in the order of the list; quick unless the list has changed. Tables ask for
    /// them in each frame.
    [[nodiscard]] QList<QUuid> ids() const
    {
        if (m_ids.isEmpty()) {
            m_ids.reserve(m_index.size());
            for (const T &item : m_items)
                m_ids.append(idOf(item));
        }
        return m_ids;
    }

    [[nodiscard]] auto begin() { return m_items.begin(); }
    [[nodiscard]] auto end() { return m_items.end(); }

private:
    [[nodiscard]] static const QUuid &idOf(const T &item)
    {
        if constexpr (requires { item.id; })
            return item.id;
        else
            return item->id;
    }

    std::list<T> m_items;
    QHash<QUuid, typename std::list<T>::iterator> m_index;
    mutable typename std::list<T>::iterator m_last = m_items.end(); ///< found last
    mutable QList<QUuid> m_ids; ///< in the order of the list; empty: it has changed
};

} // namespace Rekindle

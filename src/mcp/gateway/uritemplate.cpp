// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "uritemplate_p.h"

#include <algorithm>
#include <vector>

namespace Rekindle {

namespace {

// The positions in a URI that a prefix of the template can match up to. All are tracked at the same
// time, so that there is no backtracking.
class Positions
{
public:
    explicit Positions(QByteArrayView uri)
        : m_uri(uri)
        , m_isReached(static_cast<std::size_t>(uri.size()) + 1)
    {
        m_isReached.front() = 1;
    }

    // The template continues with these bytes.
    void passText(QByteArrayView text)
    {
        const qsizetype size = text.size();
        for (qsizetype at = m_uri.size(); at >= 0; --at) {
            const bool fits =
                at >= size && isReached(at - size) && m_uri.sliced(at - size, size) == text;
            isReached(at) = fits ? 1 : 0;
        }
    }

    // The template continues with a variable, which may contain slashes or not.
    void passVariable(bool mayContainSlashes)
    {
        for (qsizetype at = 1; at <= m_uri.size(); ++at) {
            if (isReached(at - 1) && (mayContainSlashes || m_uri[at - 1] != '/'))
                isReached(at) = 1;
        }
    }

    [[nodiscard]] bool isEmpty() const
    {
        return std::find(m_isReached.begin(), m_isReached.end(), 1) == m_isReached.end();
    }
    [[nodiscard]] bool containsEnd() const { return m_isReached.back() != 0; }

private:
    [[nodiscard]] char &isReached(qsizetype at)
    {
        return m_isReached[static_cast<std::size_t>(at)];
    }

    const QByteArrayView m_uri;
    std::vector<char> m_isReached;
};

} // namespace

bool fitsUriTemplate(QByteArrayView uri, QByteArrayView uriTemplate)
{
    if (uri.size() > longestTemplateUri || uriTemplate.size() > longestUriTemplate)
        return false;
    Positions positions(uri);
    while (!uriTemplate.isEmpty()) {
        const qsizetype open = uriTemplate.indexOf('{');
        positions.passText(uriTemplate.first(open < 0 ? uriTemplate.size() : open));
        if (open < 0)
            break;
        if (positions.isEmpty())
            return false;
        const qsizetype close = uriTemplate.indexOf('}', open);
        if (close < 0)
            return false;
        positions.passVariable(QByteArrayView("+#/?").contains(uriTemplate[open + 1]));
        uriTemplate = uriTemplate.sliced(close + 1);
    }
    return positions.containsEnd();
}

} // namespace Rekindle

// SPDX-FileCopyrightText: 2026 The Rekindle founders
// SPDX-License-Identifier: MIT

#include "uritemplate_p.h"

#include <algorithm>
#include <vector>

namespace Rekindle {

namespace {

// The places in a URI that a template may have come to; one after its last byte, too. All of them
// are followed at the same time: nothing is tried twice.
class Places
{
public:
    explicit Places(QByteArrayView uri)
        : m_uri(uri)
        , m_isOne(static_cast<std::size_t>(uri.size()) + 1)
    {
        m_isOne.front() = 1;
    }

    // Behind these bytes.
    void passText(QByteArrayView text)
    {
        const qsizetype size = text.size();
        for (qsizetype at = m_uri.size(); at >= 0; --at) {
            const bool fits = at >= size && one(at - size) && m_uri.sliced(at - size, size) == text;
            one(at) = fits ? 1 : 0;
        }
    }

    // Anywhere from them on, as far as the next slash or beyond.
    void passVariable(bool holdsSlashes)
    {
        for (qsizetype at = 1; at <= m_uri.size(); ++at) {
            if (one(at - 1) && (holdsSlashes || m_uri[at - 1] != '/'))
                one(at) = 1;
        }
    }

    [[nodiscard]] bool areNone() const
    {
        return std::find(m_isOne.begin(), m_isOne.end(), 1) == m_isOne.end();
    }
    [[nodiscard]] bool holdEnd() const { return m_isOne.back() != 0; }

private:
    [[nodiscard]] char &one(qsizetype at) { return m_isOne[static_cast<std::size_t>(at)]; }

    const QByteArrayView m_uri;
    std::vector<char> m_isOne;
};

} // namespace

bool fitsUriTemplate(QByteArrayView uri, QByteArrayView uriTemplate)
{
    if (uri.size() > longestTemplateUri || uriTemplate.size() > longestUriTemplate)
        return false;
    Places places(uri);
    while (!uriTemplate.isEmpty()) {
        const qsizetype open = uriTemplate.indexOf('{');
        places.passText(uriTemplate.first(open < 0 ? uriTemplate.size() : open));
        if (open < 0)
            break;
        if (places.areNone())
            return false;
        const qsizetype close = uriTemplate.indexOf('}', open);
        if (close < 0)
            return false;
        places.passVariable(QByteArrayView("+#/?").contains(uriTemplate[open + 1]));
        uriTemplate = uriTemplate.sliced(close + 1);
    }
    return places.holdEnd();
}

} // namespace Rekindle

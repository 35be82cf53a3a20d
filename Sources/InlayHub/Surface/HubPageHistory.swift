@_spi(Inlay) import InlayWire

/// A numbering of the pages that a reader visits, so that a view can keep the scroll position of each visit.
///
/// Going back to a page finds its number again; reaching it by a link is a new visit with a new number.
struct HubPageHistory {
    private struct Entry {
        let number: Int
        let page: HubReference
    }

    private var behind: [Entry] = []
    private var current: Entry?
    private var ahead: [Entry] = []
    private var last = 0

    /// Returns the number of the shown page. Only going back or forward leaves pages ahead, or reaches the last of
    /// them.
    mutating func number(of page: HubReference, canGoForward: Bool) -> Int {
        if let current, current.page == page { return current.number }
        if canGoForward, let before = behind.last, before.page == page {
            behind.removeLast()
            if let current { ahead.append(current) }
            current = before
            return before.number
        }
        let isEnd = !canGoForward && ahead.count == 1
        if let next = ahead.last, next.page == page, isEnd || canGoForward {
            ahead.removeLast()
            if let current { behind.append(current) }
            current = next
            return next.number
        }
        last += 1
        if let current { behind = (behind + [current]).suffix(HubHistory.maximumCount) }
        (current, ahead) = (Entry(number: last, page: page), [])
        return last
    }
}

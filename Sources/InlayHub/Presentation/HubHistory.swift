@_spi(Inlay) import InlayWire

/// The pages a reader went through: what is behind, what is shown, what is ahead.
struct HubHistory: Hashable, Sendable {
    // A reader who goes in circles must not fill memory.
    static let maximumCount = 500

    private(set) var behind: [HubReference] = []
    private(set) var current: HubReference?
    private(set) var ahead: [HubReference] = []

    /// Goes to a new page; what was ahead is forgotten. The page that is shown already is no new one.
    mutating func visit(_ page: HubReference) {
        guard page != current else { return }
        if let current { behind.append(current) }
        behind = behind.suffix(Self.maximumCount)
        (current, ahead) = (page, [])
    }

    /// Goes one page back; false when there is none.
    mutating func goBack() -> Bool {
        guard let last = behind.popLast() else { return false }
        if let current { ahead.append(current) }
        current = last
        return true
    }

    /// Goes one page on; false when there is none.
    mutating func goForward() -> Bool {
        guard let next = ahead.popLast() else { return false }
        if let current { behind.append(current) }
        current = next
        return true
    }

    /// Removes pages that do not exist any more. If the shown page is one of them, the nearest page before it is shown.
    mutating func keep(_ isThere: (HubReference) -> Bool) {
        behind = Self.withoutRepeats(behind.filter(isThere))
        ahead = Self.withoutRepeats(ahead.filter(isThere))
        if let page = current, !isThere(page) { current = behind.popLast() }
        if behind.last == current { behind = behind.dropLast() }
        if ahead.last == current { ahead = ahead.dropLast() }
    }

    private static func withoutRepeats(_ pages: [HubReference]) -> [HubReference] {
        pages.reduce(into: []) { result, page in if result.last != page { result.append(page) } }
    }
}

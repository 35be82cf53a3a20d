@_spi(Inlay) public import InlayWire
/// The position of an element in a card: the indexes from the top, and the subview it is in.
///
/// The page names elements by path, so it can only ever ask for what the card really holds.
@_spi(Inlay) public struct CardNodePath: Hashable, Sendable {
    /// The subview; `nil` for the card's top level.
    public var subview: String?
    /// The indexes, outermost first.
    public var indexes: [Int]

    /// A path from its parts.
    public init(subview: String? = nil, indexes: [Int]) {
        self.subview = subview
        self.indexes = indexes
    }

    /// A path as it stands in markup, for example `3.1`; `nil` when it is none.
    public init?(_ text: String, subview: String? = nil) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        guard !parts.isEmpty, parts.count <= 8, parts.allSatisfy({ ($0 ?? -1) >= 0 }) else { return nil }
        self.init(subview: subview, indexes: parts.compactMap { $0 })
    }

    /// The path as it stands in markup.
    public var text: String { indexes.map(String.init).joined(separator: ".") }
}

extension CardLayout {
    /// The element at a path; `nil` when there is none.
    public func node(at path: CardNodePath) -> CardNode? {
        var nodes = level(of: path)
        var found: CardNode?
        for index in path.indexes {
            guard let inside = nodes, inside.indices.contains(index) else { return nil }
            found = inside[index]
            if case .form(let children) = inside[index] { nodes = children } else { nodes = nil }
        }
        return found
    }

    /// The elements whose inputs are submitted by the button at a path: those of its form, or of the whole
    /// level where it stands in no form.
    public func nodes(submittedAt path: CardNodePath) -> [CardNode] {
        let outer = CardNodePath(subview: path.subview, indexes: path.indexes.dropLast())
        if case .form(let children)? = node(at: outer) { return children }
        return level(of: path) ?? []
    }

    private func level(of path: CardNodePath) -> [CardNode]? {
        guard let id = path.subview else { return nodes }
        return subviews[id]?.nodes
    }
}

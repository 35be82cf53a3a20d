@_spi(Inlay) public import InlayWire
/// The position of an element in a card: the indexes from the top, and the subview it is in.
///
/// The page identifies elements by their paths, so its events can only be about elements of the card.
@_spi(Inlay) public struct CardNodePath: Hashable, Sendable {
    /// The id of the subview; `nil` for the card's top level.
    public var subview: String?
    /// The indexes, outermost first.
    public var indexes: [Int]

    /// A path from its parts.
    public init(subview: String? = nil, indexes: [Int]) {
        self.subview = subview
        self.indexes = indexes
    }

    /// Reads a path in the form that the markup has, for example `3.1`; `nil` for any other text, and for more than 8
    /// levels.
    public init?(_ text: String, subview: String? = nil) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        guard !parts.isEmpty, parts.count <= 8, parts.allSatisfy({ ($0 ?? -1) >= 0 }) else { return nil }
        self.init(subview: subview, indexes: parts.compactMap { $0 })
    }

    /// The path in the form that the markup has.
    public var text: String { indexes.map(String.init).joined(separator: ".") }
}

extension CardLayout {
    /// Returns the element at a path; `nil` when there is none.
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

    /// Returns the elements whose inputs the button at a path submits: the elements of its form, or without a form, of
    /// the whole level.
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

extension XMLTree {
    /// Returns the child elements of a name, ignoring case.
    public func children(named name: String) -> [XMLTree] { children.filter { $0.isNamed(name) } }

    /// Returns the first child element of a name: one in the same case if there is one, else one in any case.
    ///
    /// Some documents contain `EMAIL` and `Email` side by side.
    public func child(_ name: String) -> XMLTree? {
        let candidates = children(named: name)
        return candidates.first { $0.name == name } ?? candidates.first
    }

    /// Returns the text of a child element; `nil` when there is none.
    public func value(_ name: String) -> String? { child(name)?.text }

    /// Whether the element has this name, with or without its prefix, ignoring case.
    public func isNamed(_ name: String) -> Bool {
        Self.folded(self.name) == Self.folded(name) || Self.folded(localName) == Self.folded(name)
    }

    /// The name without its prefix.
    public var localName: String {
        name.split(separator: ":", maxSplits: 1).last.map(String.init) ?? name
    }

    /// Returns the first element at a dotted path whose outer steps may be left out: with `containers` Envelope, Body
    /// and RESULT, "SUCCESS" finds Envelope/Body/RESULT/SUCCESS.
    ///
    /// Only this element and the containers are searched, so that a name inside the data of a user is not mistaken for
    /// an element of the response itself.
    public func first(_ path: String, through containers: [String] = []) -> XMLTree? {
        let steps = path.split(separator: ".").map(String.init)
        guard let last = steps.last else { return nil }
        var level = [XMLTree("", [self])]
        var isTop = true
        while !level.isEmpty {
            for start in level {
                let owner = steps.dropLast().reduce(Optional(start)) { $0?.child($1) }
                if let found = owner?.child(last) { return found }
            }
            level = level.flatMap { outer in
                outer.children.filter { child in isTop || containers.contains { child.isNamed($0) } }
            }
            isTop = false
        }
        return nil
    }

    private static func folded(_ name: String) -> String { name.lowercased() }
}

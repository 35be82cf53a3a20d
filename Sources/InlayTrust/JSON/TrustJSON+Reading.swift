extension TrustJSON {
    /// Returns the value of a member; throws `format` when it is missing.
    func required(_ name: String) throws(TrustError) -> TrustJSON {
        guard case .object = self else { throw TrustError(.format, "an object was expected around \(name)") }
        guard let value = self[name] else { throw TrustError(.format, "\(name) is missing") }
        return value
    }

    func text(_ what: String) throws(TrustError) -> String {
        guard case .string(let text) = self else { throw TrustError(.format, "\(what) is no text") }
        return text
    }

    func whole(_ what: String, atLeast minimum: Int = 0) throws(TrustError) -> Int {
        guard case .integer(let number) = self, let whole = Int(exactly: number) else {
            throw TrustError(.format, "\(what) is no whole number")
        }
        guard whole >= minimum else { throw TrustError(.format, "\(what) is less than \(minimum)") }
        return whole
    }

    func flag(_ what: String) throws(TrustError) -> Bool {
        guard case .bool(let flag) = self else {
            throw TrustError(.format, "\(what) is neither true nor false")
        }
        return flag
    }

    func list(_ what: String) throws(TrustError) -> [TrustJSON] {
        guard case .array(let list) = self else { throw TrustError(.format, "\(what) is no list") }
        return list
    }

    func texts(_ what: String) throws(TrustError) -> [String] {
        var texts: [String] = []
        for element in try list(what) { texts.append(try element.text("an element of \(what)")) }
        return texts
    }

    func members(_ what: String) throws(TrustError) -> [Member] {
        guard case .object(let members) = self else { throw TrustError(.format, "\(what) is no object") }
        return members
    }

    /// Returns the members that this version does not know; they are signed, so they are kept.
    func unknown(besides known: [String]) -> [Member] {
        guard case .object(let members) = self else { return [] }
        return members.filter { member in !known.contains { $0.hasSameBytes(as: member.name) } }
    }
}

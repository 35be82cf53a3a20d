extension OpenRTB {
    /// An error in a request or response, with its place.
    package struct Fault: Error, Hashable, Sendable, CustomStringConvertible {
        /// The path of the field, as `imp[0].banner.w`; empty for the whole document.
        package var path: String
        /// The kind of error, a stable name.
        package var reason: Reason
        /// The violated rule in words. Never contains the value, which is the other side's.
        package var detail: String

        init(_ path: String, _ reason: Reason, _ detail: String = "") {
            self.path = path
            self.reason = reason
            self.detail = detail
        }

        package var description: String {
            [path.isEmpty ? "(document)" : path, reason.rawValue, detail]
                .filter { !$0.isEmpty }.joined(separator: ": ")
        }
    }

    /// The kinds of fault.
    package enum Reason: String, Hashable, Sendable, CaseIterable {
        /// The document is not JSON, or not an object.
        case malformed
        /// Something exceeds a limit: of bytes, of nesting or of a count.
        case tooLarge = "too-large"
        /// A required field is missing or empty.
        case missing
        /// A field has another type than the specification says.
        case wrongType = "wrong-type"
        /// A number outside of its range, or a name outside of its list.
        case outOfRange = "out-of-range"
        /// The same id twice.
        case duplicate
        /// Fields that exclude each other.
        case conflict
        /// A field that an exchange for apps does not accept.
        case notAllowed = "not-allowed"
        /// A reference to something that the request does not contain.
        case unknown
        /// A price below the floor.
        case belowFloor = "below-floor"
        /// A value on a blocklist, or not on an allowlist.
        case blocked
        /// An address or markup without https.
        case notSecure = "not-secure"
    }
}

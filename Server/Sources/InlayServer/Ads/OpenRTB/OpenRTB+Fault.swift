extension OpenRTB {
    /// What is wrong with a request or an answer, and where.
    package struct Fault: Error, Hashable, Sendable, CustomStringConvertible {
        /// The place, as `imp[0].banner.w`; empty for the whole document.
        package var path: String
        /// What is wrong, as a name that stays.
        package var reason: Reason
        /// The rule that was broken, for a person. Never the value itself, which is the other side's.
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
        /// It is not JSON, or not an object.
        case malformed
        /// More bytes, or more values inside each other, than are read.
        case tooLarge = "too-large"
        /// A field that must be there is not, or is empty.
        case missing
        /// A field has another type than the specification says.
        case wrongType = "wrong-type"
        /// A number outside of what is possible, or a name outside of its list.
        case outOfRange = "out-of-range"
        /// The same id twice.
        case duplicate
        /// Fields that exclude each other.
        case conflict
        /// A field that an exchange of apps does not take.
        case notAllowed = "not-allowed"
        /// A reference to something that the request does not have.
        case unknown
        /// Below the floor.
        case belowFloor = "below-floor"
        /// On a list of what the publisher blocks.
        case blocked
        /// An address or markup without https.
        case notSecure = "not-secure"
    }
}

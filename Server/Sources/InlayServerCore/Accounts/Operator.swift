@_spi(Inlay) package import InlayWire

/// A person who may sign in to the Workbench.
package struct Operator: Hashable, Sendable, Identifiable {
    package let id: String
    /// The login that they sign in with, lower case.
    package let login: String
    /// The role that decides what they may do.
    package let role: OperatorRole
    package let createdAt: Timestamp
    /// The time at which they were disabled; `nil` while they may sign in.
    package let disabledAt: Timestamp?
    /// Whether the password was made by the server or by another operator, so that the operator must change it first.
    package var mustChangePassword = false
}

/// The rights of an operator; each role includes the rights of the roles before it.
package enum OperatorRole: String, Hashable, Sendable, CaseIterable, Comparable {
    /// Looks at content, users and numbers.
    case analyst
    /// Writes and publishes content.
    case editor
    /// Manages environments, keys and operators.
    case admin

    package static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

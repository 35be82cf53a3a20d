/// The signers of each role, and how many have to sign.
public struct TrustKeyring: Sendable {
    /// The signers of one role.
    public struct Role: Sendable {
        /// Whoever signs for the role.
        public var signers: [any TrustSigner]
        /// How many different keys are needed.
        public var threshold: Int

        /// Some signers, one of whom is enough unless said otherwise.
        public init(_ signers: [any TrustSigner], threshold: Int = 1) {
            (self.signers, self.threshold) = (signers, threshold)
        }
    }

    private var roles: [TopLevelRole: Role]

    /// Signers of the four roles.
    public init(root: Role, targets: Role, snapshot: Role, timestamp: Role) {
        roles = [.root: root, .targets: targets, .snapshot: snapshot, .timestamp: timestamp]
    }

    /// The signers of a role.
    public subscript(role: TopLevelRole) -> Role {
        get { roles[role] ?? Role([]) }
        set { roles[role] = newValue }
    }
}

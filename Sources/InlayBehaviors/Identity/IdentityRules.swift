/// How contacts of a database are told apart and tied together.
public struct IdentityRules: Hashable, Sendable {
    /// Whether a contact is made for somebody of whom nothing is known.
    public var createsAnonymous = true
    /// The column of the id that this app gives a person.
    public var mobileUserIDColumn = "Mobile User Id"
    /// The column that names the contact that another one was merged into.
    public var mergedRecipientIDColumn = "Merged Recipient Id"
    /// The column of the moment of the merge.
    public var mergedDateColumn = "Merged Date"
    /// Whether a merge is written into those columns.
    public var marksMerged = true
    /// The relational table that gets a row for every merge; `nil` writes none.
    public var auditTableID: String?
    /// The columns of that table.
    public var auditColumns = AuditColumns()

    /// The columns of an audit row.
    public struct AuditColumns: Hashable, Sendable {
        /// The row's own id.
        public var id = "Audit Record Id"
        /// The contact that was merged.
        public var oldRecipientID = "Old Recipient Id"
        /// The contact that it was merged into.
        public var newRecipientID = "New Recipient Id"
        /// The moment of the merge.
        public var created = "Create Date"

        /// The documented names.
        public init() {}
    }

    /// The documented defaults.
    public init() {}
}

/// The rules for identifying and linking contacts of a database.
package struct IdentityRules: Hashable, Sendable {
    /// Whether a contact is made for an unknown user.
    package var createsAnonymous = true
    /// The column of the id that this app gives a person.
    package var mobileUserIDColumn = "Mobile User Id"
    /// The column that names the contact that another one was merged into.
    package var mergedRecipientIDColumn = "Merged Recipient Id"
    /// The column of the moment of the merge.
    package var mergedDateColumn = "Merged Date"
    /// Whether a merge is written into those columns.
    package var marksMerged = true
    /// The relational table that gets a row for every merge; `nil` writes none.
    package var auditTableID: String?
    /// The columns of that table.
    package var auditColumns = AuditColumns()

    /// The columns of an audit row.
    package struct AuditColumns: Hashable, Sendable {
        /// The row's own id.
        package var id = "Audit Record Id"
        /// The contact that was merged.
        package var oldRecipientID = "Old Recipient Id"
        /// The contact that it was merged into.
        package var newRecipientID = "New Recipient Id"
        /// The moment of the merge.
        package var created = "Create Date"

        /// The documented names.
        package init() {}
    }

    /// The documented defaults.
    package init() {}
}

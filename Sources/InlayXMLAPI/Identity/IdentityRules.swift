/// The rules for identifying and linking contacts of a database.
package struct IdentityRules: Hashable, Sendable {
    /// Whether a contact is created for an unknown user.
    package var createsAnonymous = true
    /// The column of the id that this app gives a user.
    package var mobileUserIDColumn = "Mobile User Id"
    /// The column of the id of the contact into which another contact was merged.
    package var mergedRecipientIDColumn = "Merged Recipient Id"
    /// The column of the time of the merge.
    package var mergedDateColumn = "Merged Date"
    /// Whether a merge is written into these two columns.
    package var marksMerged = true
    /// The relational table that gets a row for every merge; `nil` writes none.
    package var auditTableID: String?
    /// The columns of the audit table.
    package var auditColumns = AuditColumns()

    /// The columns of an audit row.
    package struct AuditColumns: Hashable, Sendable {
        /// The row's own id.
        package var id = "Audit Record Id"
        /// The id of the contact that was merged.
        package var oldRecipientID = "Old Recipient Id"
        /// The id of the contact into which the old one was merged.
        package var newRecipientID = "New Recipient Id"
        /// The time of the merge.
        package var created = "Create Date"

        /// Creates columns with the documented names.
        package init() {}
    }

    /// Creates rules with the documented defaults.
    package init() {}
}

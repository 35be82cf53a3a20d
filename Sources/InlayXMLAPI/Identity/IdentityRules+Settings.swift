package import InlayBehaviors
@_spi(Inlay) import InlayWire

extension IdentityRules {
    /// Creates the rules of the groups `Recipient` and `AuditRecord`, with defaults for missing settings.
    package init(_ settings: BehaviorSettings) {
        self.init()
        let table = settings.table
        func text(_ group: String, _ key: String, _ fallback: String) -> String {
            table[group, key]?.string.flatMap { $0.isEmpty ? nil : $0 } ?? fallback
        }
        func flag(_ group: String, _ key: String, _ fallback: Bool) -> Bool {
            switch table[group, key] {
            case .bool(let flag): flag
            case .integer(let number): number != 0
            case .string(let text): ["yes", "true", "1"].contains(text.lowercased())
            default: fallback
            }
        }
        createsAnonymous = flag("Recipient", "enableAutoAnonymousTracking", createsAnonymous)
        mobileUserIDColumn = text("Recipient", "mobileUserIdColumn", mobileUserIDColumn)
        mergedRecipientIDColumn = text("Recipient", "mergedRecipientIdColumn", mergedRecipientIDColumn)
        mergedDateColumn = text("Recipient", "mergedDateColumn", mergedDateColumn)
        marksMerged = flag("Recipient", "mergeHistoryInMarketingDatabase", marksMerged)
        if flag("AuditRecord", "mergeHistoryInAuditRecordTable", false) {
            let id = text("AuditRecord", "auditRecordListId", "")
            auditTableID = id.isEmpty ? nil : id
        }
        auditColumns.id = text("AuditRecord", "auditRecordPrimaryKeyColumnName", auditColumns.id)
        auditColumns.oldRecipientID = text(
            "AuditRecord", "oldRecipientIdColumnName", auditColumns.oldRecipientID)
        auditColumns.newRecipientID = text(
            "AuditRecord", "newRecipientIdColumnName", auditColumns.newRecipientID)
        auditColumns.created = text("AuditRecord", "createDateColumnName", auditColumns.created)
    }
}

/// The metadata of a targets role that was read since the last update, and who was found to vouch for it.
struct KnownRole {
    /// What one delegator and the snapshot say about a role.
    struct Voucher: Equatable {
        let entry: MetadataEntry
        let signers: RoleKeys
        let keys: KeyList

        /// Whether the file is the one that the snapshot names, and enough of the delegator's keys signed it.
        func accepts(_ file: Signed<TargetsRole>, _ role: String) -> Bool {
            file.content.version == entry.version && (try? entry.check(file.bytes, role)) != nil
                && (try? SignatureCheck.verify(file, by: signers, of: keys, role)) != nil
        }
    }

    let file: Signed<TargetsRole>
    var vouchers: [Voucher]
}

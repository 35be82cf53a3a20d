/// The number from which all versions that devices hold are counted.
///
/// A database that was restored is older than what devices have seen: its counters would repeat versions that meant
/// something else, and devices ignore versions that are not newer. So a restore notes its time, and versions begin
/// there: microseconds since 1970 are more than any counter has reached, and a later restore has a higher base than an
/// earlier one. Before the first restore the base is 0.
package enum VersionBase {
    /// The table, for `CREATE TABLE`.
    package static let table = "database_restores (restored_at BIGINT NOT NULL)"

    /// The base, as a part of a statement; one row at most for each restore in a server's life.
    package static let sql = "(SELECT COALESCE(MAX(restored_at), 0) FROM database_restores)"
}

/// One step of a feature's schema, applied once and never edited afterwards.
public struct SQLMigration: Hashable, Sendable {
    /// The feature it belongs to, for example `cards`.
    public let feature: String
    /// Its name within the feature, for example `0001-templates`. Order is that of the list, not of names.
    public let name: String
    /// One or more statements in the common dialect, separated by `;`.
    ///
    /// Types: `BIGINT`, `DOUBLE PRECISION`, `TEXT`, `BLOB`; a counting key is
    /// `INTEGER PRIMARY KEY AUTOINCREMENT`. `WITHOUT ROWID` is allowed and means something to SQLite only.
    /// Nothing is named after a type, for the types' names are translated.
    public let sql: String

    /// A step with its place and its SQL.
    public init(feature: String, name: String, sql: String) {
        self.feature = feature
        self.name = name
        self.sql = sql
    }

    /// FNV-1a over the SQL: it finds an edit made by mistake, which is all it is for.
    var checksum: String {
        let hash = sql.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }
}

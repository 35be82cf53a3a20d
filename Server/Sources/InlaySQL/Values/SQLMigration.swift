/// One step of a feature's schema, applied once and never edited afterwards.
public struct SQLMigration: Hashable, Sendable {
    /// The name of its feature, for example `cards`.
    public let feature: String
    /// Its name within the feature, for example `0001-templates`. The list gives the order, not the name.
    public let name: String
    /// One or more statements in the common dialect, separated by `;`.
    ///
    /// Types: `BIGINT`, `DOUBLE PRECISION`, `TEXT`, `BLOB`; a counting key is
    /// `INTEGER PRIMARY KEY AUTOINCREMENT`. `WITHOUT ROWID` is allowed and means something to SQLite only.
    /// No table or column may be named `INTEGER`, `REAL`, `BLOB`, `TEXT`, `AUTOINCREMENT`, `WITHOUT` or `ROWID`, because
    /// these words are translated wherever they stand.
    public let sql: String

    /// Makes a step of a feature's schema.
    public init(feature: String, name: String, sql: String) {
        self.feature = feature
        self.name = name
        self.sql = sql
    }

    /// An FNV-1a hash of the SQL, which is enough to detect an accidental edit.
    var checksum: String {
        let hash = sql.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }
}

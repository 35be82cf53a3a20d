/// One step of a feature's schema, applied once and never edited afterwards.
public struct SQLMigration: Hashable, Sendable {
    /// The name of the step's feature, for example `cards`.
    public let feature: String
    /// The name of the step within the feature, for example `0001-templates`. The order is that of the list, not of the
    /// names.
    public let name: String
    /// One or more statements in the common dialect, separated by `;`.
    ///
    /// Types: `BIGINT`, `DOUBLE PRECISION`, `TEXT`, `BLOB`; a counting key is
    /// `INTEGER PRIMARY KEY AUTOINCREMENT`. `WITHOUT ROWID` is allowed and has an effect with SQLite only.
    /// No table or column may be named `INTEGER`, `REAL`, `BLOB`, `TEXT`, `AUTOINCREMENT`, `WITHOUT` or `ROWID`,
    /// because these words are translated everywhere.
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

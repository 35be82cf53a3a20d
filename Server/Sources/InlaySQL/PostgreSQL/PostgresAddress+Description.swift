/// The address holds the password of the database: neither a log line nor reflection may show it.
extension PostgresAddress: CustomStringConvertible, CustomReflectable {
    var description: String { "PostgresAddress" }
    var customMirror: Mirror { Mirror(self, children: []) }
}

/// Statements that no transaction may hold, for tools and tests: making and dropping databases.
package enum PostgresAdmin {
    /// Runs a script on a connection of its own. Blocks; not for the server's way of a request.
    package static func run(_ sql: String, at url: String) throws {
        try PostgresAddress(url: url).connect().runScript(sql)
    }
}

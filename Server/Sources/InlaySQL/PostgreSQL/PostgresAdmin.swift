import Foundation

/// Administration of a PostgreSQL server for tools and tests, such as creating and dropping databases.
package enum PostgresAdmin {
    /// Runs a script outside of a transaction on a connection of its own. Blocks, so request handlers must not use it.
    package static func run(_ sql: String, at url: String) throws {
        try PostgresAddress(url: url).connect().runScript(sql)
    }

    /// Returns the process id of the server, from the pid file in its data folder.
    package static func postmaster(at url: String) throws -> Int32 {
        let connection = try PostgresAddress(url: url).connect()
        let folder = try connection.runScript("SHOW data_directory").firstText ?? ""
        let file = try String(contentsOfFile: folder + "/postmaster.pid", encoding: .utf8)
        guard let first = file.split(separator: "\n").first, let id = Int32(first) else {
            throw SQLError(.other, "\(folder)/postmaster.pid names no process.")
        }
        return id
    }
}

import Foundation

/// Statements that no transaction may hold, for tools and tests: making and dropping databases.
package enum PostgresAdmin {
    /// Runs a script on a connection of its own. Blocks; not for the server's way of a request.
    package static func run(_ sql: String, at url: String) throws {
        try PostgresAddress(url: url).connect().runScript(sql)
    }

    /// The process of the server itself, as its data folder says.
    package static func postmaster(at url: String) throws -> Int32 {
        let link = try PostgresAddress(url: url).connect()
        let folder = try link.runScript("SHOW data_directory").firstText ?? ""
        let file = try String(contentsOfFile: folder + "/postmaster.pid", encoding: .utf8)
        guard let first = file.split(separator: "\n").first, let id = Int32(first) else {
            throw SQLError(.other, "\(folder)/postmaster.pid names no process.")
        }
        return id
    }

    /// The processes that the server has started, among them the one that answers. `prepare` runs once it is there.
    package static func backends(at url: String, prepare: () -> Void) throws -> [Int32] {
        let link = try PostgresAddress(url: url).connect()
        prepare()
        return try link.runScript("SELECT pid FROM pg_stat_activity").rows().map { Int32(try $0.int("pid")) }
    }
}

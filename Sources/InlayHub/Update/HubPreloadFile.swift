public import Foundation
import GRDB
@_spi(Inlay) public import InlayTrust

/// A version of the content in one SQLite file, as apps carry it.
///
/// The file is never trusted: it is opened for reading only, with an untrusted schema, and its contents are verified
/// like anything from the network.
@_spi(Inlay) public struct HubPreloadFile: TrustFetcher, FirstRootSource {
    private let queue: DatabaseQueue

    init(reading file: URL) throws(TrustError) {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
        }
        do { queue = try DatabaseQueue(path: file.path, configuration: configuration) } catch {
            throw TrustError(
                .notFound, "\(file.lastPathComponent) cannot be opened", file: file.lastPathComponent)
        }
    }

    /// Creates a file from a folder with `metadata/` and `targets/`, as the server serves them.
    public static func make(from folder: URL, at file: URL) throws(HubError) {
        do {
            let queue = try DatabaseQueue(path: file.path)
            try queue.write { database in
                try database.execute(
                    sql: "CREATE TABLE file (path TEXT PRIMARY KEY, body BLOB NOT NULL) WITHOUT ROWID")
                for tree in ["metadata", "targets"] { try pack(tree, of: folder, into: database) }
            }
            try queue.close()
        } catch {
            throw .storage("\(file.lastPathComponent): \(error)")
        }
    }

    public func fetch(
        _ request: TrustRequest, receive: @escaping @Sendable (Data) throws -> Void
    ) async throws {
        let tree = request.tree == .metadata ? "metadata/" : "targets/"
        try receive(try body(tree + request.path, maximumBytes: request.maximumBytes))
    }

    func metadata(_ name: String, maximumBytes: Int) throws -> Data {
        try body("metadata/" + name, maximumBytes: maximumBytes)
    }

    private func body(_ path: String, maximumBytes: Int) throws -> Data {
        // Any fault of such a file means that it has no such content.
        let body = try? queue.read { database -> Data? in
            let length = try Int.fetchOne(
                database, sql: "SELECT length(body) FROM main.file WHERE path = ?", arguments: [path])
            guard let length, length <= maximumBytes else { return nil }
            return try Data.fetchOne(
                database, sql: "SELECT CAST(body AS BLOB) FROM main.file WHERE path = ?", arguments: [path])
        }
        guard let body = body.flatMap(\.self) else { throw TrustFetchError.notFound }
        return body
    }

    private static func pack(_ tree: String, of folder: URL, into database: Database) throws {
        let root = folder.appendingPathComponent(tree)
        for path in try FileManager.default.subpathsOfDirectory(atPath: root.path).sorted() {
            guard let body = HubFileSystem.read(root.appendingPathComponent(path)) else { continue }
            try database.execute(
                sql: "INSERT INTO file (path, body) VALUES (?, ?)", arguments: ["\(tree)/\(path)", body])
        }
    }
}

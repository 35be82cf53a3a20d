import Crypto
package import Foundation
import InlaySQL
package import InlayServerCore
@_spi(Inlay) import InlayWire
import NIOConcurrencyHelpers
package import NIOCore

/// The hash and size of a file's bytes.
package struct HubBlob: Codable, Hashable, Sendable {
    /// SHA-256 in lower-case hex.
    package let hash: String
    /// The size in bytes.
    package let size: Int

    package init(hash: String, size: Int) {
        self.hash = hash
        self.size = size
    }

    /// Computes the hash and size of the bytes.
    package init(of data: Data) {
        self.init(hash: HubBlobStore.hex(SHA256.hash(data: data)), size: data.count)
    }
}

/// A store of files by environment and hash, each stored once and in pieces in the database.
///
/// The files are in the database so that every node has them, a backup is complete, and a file exists exactly when the
/// transaction that stored it was committed.
package struct HubBlobStore: Sendable {
    /// The maximum number of bytes in one row. It bounds the memory for a video that is read; a smaller one would cost
    /// more queries.
    static let maximumPieceBytes = 256 << 10

    let database: any SQLDatabase
    let now: @Sendable () -> Timestamp

    /// Returns the files with these hashes that the environment has, by hash.
    package func present(_ environmentID: EnvironmentID, _ hashes: Set<String>) async throws -> [String:
        HubBlob]
    {
        let hashes = Array(hashes)
        return try await database.read { connection in
            var found: [String: HubBlob] = [:]
            for start in stride(from: 0, to: hashes.count, by: 500) {
                let some = hashes[start..<min(start + 500, hashes.count)]
                let marks = some.map { _ in "?" }.joined(separator: ", ")
                let rows = try connection.rows(
                    "SELECT hash, size FROM hub_blobs WHERE environment_id = ? AND hash IN (\(marks))",
                    [.id(environmentID)] + some.map(SQLValue.text))
                for row in rows {
                    let blob = HubBlob(hash: try row.text("hash"), size: try row.int("size"))
                    found[blob.hash] = blob
                }
            }
            return found
        }
    }

    /// Stores bytes from memory.
    @discardableResult
    package func put(_ environmentID: EnvironmentID, _ data: Data) async throws -> HubBlob {
        let blob = HubBlob(of: data)
        if try await refresh(environmentID, blob) { return blob }
        return try await put(
            environmentID,
            AsyncStream {
                $0.yield(ByteBuffer(bytes: data)); $0.finish()
            }, expecting: blob.hash,
            limit: data.count)
    }

    /// Makes a stored file as new as one that is stored now, so that pruning does not remove it before it is used.
    /// Returns whether the file is stored.
    private func refresh(_ environmentID: EnvironmentID, _ blob: HubBlob) async throws -> Bool {
        let moment = now()
        return try await database.write {
            try $0.execute(
                "UPDATE hub_blobs SET created_at = ? WHERE environment_id = ? AND hash = ?",
                [.moment(moment), .id(environmentID), .text(blob.hash)]) == 1
        }
    }

    /// Stores many files by hash, the small ones in transactions of about 4 MiB or 500 files.
    func put(_ environmentID: EnvironmentID, _ files: [String: Data]) async throws {
        var batch: [String: Data] = [:]
        var size = 0
        for (hash, data) in files {
            guard data.count <= Self.maximumPieceBytes else {
                try await put(environmentID, data)
                continue
            }
            batch[hash] = data
            size += data.count
            guard size >= 4 << 20 || batch.count >= 500 else { continue }
            try await insert(environmentID, batch)
            (batch, size) = ([:], 0)
        }
        if !batch.isEmpty { try await insert(environmentID, batch) }
    }

    private func insert(_ environmentID: EnvironmentID, _ files: [String: Data]) async throws {
        let moment = now()
        // Sorted, so that two nodes with the same files never deadlock.
        let entries = files.sorted { $0.key < $1.key }.map {
            (hash: $0.key, data: $0.value, storage: Secret.id("", length: 24))
        }
        try await database.write { connection in
            for entry in entries {
                let stored = try connection.row(
                    """
                    INSERT INTO hub_blobs (environment_id, hash, storage_id, size, created_at)
                    VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT (environment_id, hash) DO UPDATE SET created_at = excluded.created_at
                    RETURNING storage_id
                    """,
                    [
                        .id(environmentID), .text(entry.hash), .text(entry.storage), .int(entry.data.count),
                        .moment(moment),
                    ])
                guard try stored?.text("storage_id") == entry.storage, !entry.data.isEmpty else { continue }
                try connection.execute(
                    """
                    INSERT INTO hub_pieces (environment_id, storage_id, piece, bytes, created_at)
                    VALUES (?, ?, 0, ?, ?)
                    """, [.id(environmentID), .text(entry.storage), .blob(entry.data), .moment(moment)])
            }
        }
    }

    /// Stores bytes as they arrive, at most `limit`. Their SHA-256 must be `hash`.
    ///
    /// Throws `body-too-large`, and `invalid-value` when the hash differs. Then nothing is stored.
    @discardableResult
    package func put<Bytes: AsyncSequence>(
        _ environmentID: EnvironmentID, _ bytes: Bytes, expecting hash: String, limit: Int
    ) async throws -> HubBlob where Bytes.Element == ByteBuffer {
        let storage = Secret.id("", length: 24)
        var writer = PieceWriter(environmentID, storage, self)
        do {
            for try await buffer in bytes {
                guard writer.size + buffer.readableBytes <= limit else {
                    throw Problem.bodyTooLarge(limit: limit)
                }
                try await writer.add(buffer)
            }
            let blob = try await writer.finish()
            guard blob.hash == hash else {
                throw Problem.invalidValue("hash", "The SHA-256 of the bytes that came is \(blob.hash).")
            }
            try await adopt(environmentID, storage, blob)
            return blob
        } catch {
            // Pruning removes what this cannot; its error would hide the first one.
            try? await discard(environmentID, storage)
            throw error
        }
    }

    /// Returns the bytes of a file in `range`, piece by piece. Throws `unavailable` when the file was removed
    /// meanwhile.
    package func read(
        _ environmentID: EnvironmentID, _ blob: HubBlob, _ range: Range<Int>
    ) -> AsyncThrowingStream<Data, any Error> {
        let position = PiecePosition(range)
        return AsyncThrowingStream {
            guard let (piece, inside) = position.next() else { return nil }
            guard let bytes = try await self.piece(environmentID, blob.hash, piece),
                bytes.count >= inside.upperBound
            else { throw Problem.unavailable }
            return bytes.subdata(in: inside)
        }
    }

    /// Returns all bytes of a file; `nil` when the environment does not have the file.
    package func data(_ environmentID: EnvironmentID, _ hash: String) async throws -> Data? {
        let rows = try await database.read { connection in
            try connection.rows(
                """
                SELECT p.bytes FROM hub_blobs b JOIN hub_pieces p ON p.environment_id = b.environment_id
                    AND p.storage_id = b.storage_id
                WHERE b.environment_id = ? AND b.hash = ? ORDER BY p.piece
                """, [.id(environmentID), .text(hash)]
            ).map { try $0.blob("bytes") }
        }
        if rows.isEmpty, try await present(environmentID, [hash]).isEmpty { return nil }
        return rows.reduce(into: Data()) { $0.append($1) }
    }

    private func piece(_ environmentID: EnvironmentID, _ hash: String, _ piece: Int) async throws -> Data? {
        try await database.read { connection in
            try connection.row(
                """
                SELECT p.bytes FROM hub_blobs b JOIN hub_pieces p ON p.environment_id = b.environment_id
                    AND p.storage_id = b.storage_id
                WHERE b.environment_id = ? AND b.hash = ? AND p.piece = ?
                """, [.id(environmentID), .text(hash), .int(piece)])?.blob("bytes")
        }
    }

    fileprivate func write(_ environmentID: EnvironmentID, _ storage: String, _ piece: Int, _ data: Data)
        async throws
    {
        let moment = now()
        try await database.write {
            _ = try $0.execute(
                """
                INSERT INTO hub_pieces (environment_id, storage_id, piece, bytes, created_at) VALUES (?, ?, ?, ?, ?)
                """,
                [.id(environmentID), .text(storage), .int(piece), .blob(data), .moment(moment)])
        }
    }

    private func adopt(_ environmentID: EnvironmentID, _ storage: String, _ blob: HubBlob) async throws {
        let moment = now()
        // A file that is stored already is as new as this one: pruning must not remove it before it is used.
        let stored = try await database.write {
            try $0.row(
                """
                INSERT INTO hub_blobs (environment_id, hash, storage_id, size, created_at) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (environment_id, hash) DO UPDATE SET created_at = excluded.created_at
                RETURNING storage_id
                """,
                [
                    .id(environmentID), .text(blob.hash), .text(storage), .int(blob.size), .moment(moment),
                ])?.text("storage_id")
        }
        if stored != storage { try await discard(environmentID, storage) }
    }

    private func discard(_ environmentID: EnvironmentID, _ storage: String) async throws {
        try await database.write {
            _ = try $0.execute(
                """
                DELETE FROM hub_pieces WHERE environment_id = ? AND storage_id = ? AND NOT EXISTS (
                    SELECT 1 FROM hub_blobs b WHERE b.environment_id = ? AND b.storage_id = ?)
                """, [.id(environmentID), .text(storage), .id(environmentID), .text(storage)])
        }
    }

    static func hex(_ digest: some Sequence<UInt8>) -> String {
        digest.map { byte in
            let text = String(byte, radix: 16)
            return byte < 16 ? "0" + text : text
        }.joined()
    }
}

/// A writer that stores arriving bytes in rows and computes their hash.
private struct PieceWriter {
    private let environmentID: EnvironmentID
    private let storage: String
    private let store: HubBlobStore
    private var hash = SHA256()
    private var pending = Data()
    private var pieces = 0
    private(set) var size = 0

    init(_ environmentID: EnvironmentID, _ storage: String, _ store: HubBlobStore) {
        self.environmentID = environmentID
        self.storage = storage
        self.store = store
    }

    mutating func add(_ buffer: ByteBuffer) async throws {
        let view = buffer.readableBytesView
        hash.update(data: view)
        size += view.count
        pending.append(contentsOf: view)
        while pending.count >= HubBlobStore.maximumPieceBytes {
            try await write(HubBlobStore.maximumPieceBytes)
        }
    }

    mutating func finish() async throws -> HubBlob {
        if !pending.isEmpty { try await write(pending.count) }
        return HubBlob(hash: HubBlobStore.hex(hash.finalize()), size: size)
    }

    private mutating func write(_ count: Int) async throws {
        try await store.write(environmentID, storage, pieces, Data(pending.prefix(count)))
        pending = Data(pending.dropFirst(count))
        pieces += 1
    }
}

/// An iterator over the pieces of a range of bytes, with the part of each piece that belongs to the range.
private final class PiecePosition: Sendable {
    private let range: Range<Int>
    private let offset: NIOLockedValueBox<Int>

    init(_ range: Range<Int>) {
        self.range = range
        offset = NIOLockedValueBox(range.lowerBound)
    }

    func next() -> (piece: Int, inside: Range<Int>)? {
        offset.withLockedValue { offset in
            guard offset < range.upperBound else { return nil }
            let piece = offset / HubBlobStore.maximumPieceBytes
            let start = piece * HubBlobStore.maximumPieceBytes
            let end = min(range.upperBound, start + HubBlobStore.maximumPieceBytes)
            defer { offset = end }
            return (piece, offset - start..<end - start)
        }
    }
}

import Crypto
import Foundation
import InlaySQL
package import InlayServerCore
@_spi(Inlay) import InlayWire

/// The result of an import of contacts from a file, or of a check of one.
package struct ContactImport: Hashable, Sendable {
    /// A line that was not imported.
    package struct Fault: Hashable, Sendable {
        /// The number of the line, from 1.
        package let line: Int
        package let reason: String
    }

    package var added = 0
    package var updated = 0
    /// The number of lines that were not imported; the first 200 are in ``faults``.
    package var failed = 0
    package var faults: [Fault] = []
    /// The columns of the file that the list does not have.
    package var unknown: [UnknownColumn] = []

    /// A column that the list does not have.
    package struct UnknownColumn: Hashable, Sendable {
        /// The position of the column in the first line, from 0.
        package let index: Int
        package let name: String
    }

    mutating func fail(_ line: Int, _ reason: String) {
        failed += 1
        if faults.count < 200 { faults.append(Fault(line: line, reason: reason)) }
    }
}

extension ContactStore {
    /// The maximum size of a file, in bytes.
    package static let maximumImportBytes = 64 << 20
    /// The maximum number of lines in one transaction.
    private static let maximumBatchSize = 200

    /// Adds or changes contacts from comma-separated values whose first line names the columns; see ``CSVReader``.
    ///
    /// Missing values at the end of a line are empty. Lines that are broken or have invalid values are listed in the
    /// result; all others are imported. `mapping` has the list's column for columns that the list does not have, by
    /// their position in the first line; an empty name leaves the column out. Throws `body-too-large`, and
    /// `invalid-value` for an unsupported encoding or an invalid first line, for example with a column that is neither
    /// in the list nor in the mapping.
    package func importCSV(
        _ environmentID: EnvironmentID, _ listID: Int64, _ bytes: [UInt8], mapping: [Int: String] = [:]
    ) async throws -> ContactImport {
        try await read(environmentID, listID, bytes, mapping, isDryRun: false)
    }

    /// Returns the result that ``importCSV(_:_:_:mapping:)`` would have, and changes nothing. Unknown columns are left
    /// out and listed in the result.
    package func checkCSV(
        _ environmentID: EnvironmentID, _ listID: Int64, _ bytes: [UInt8], mapping: [Int: String] = [:]
    ) async throws -> ContactImport {
        try await read(environmentID, listID, bytes, mapping, isDryRun: true)
    }

    private func read(
        _ environmentID: EnvironmentID, _ listID: Int64, _ bytes: [UInt8], _ mapping: [Int: String],
        isDryRun: Bool
    ) async throws -> ContactImport {
        guard bytes.count <= Self.maximumImportBytes else {
            throw Problem.bodyTooLarge(limit: Self.maximumImportBytes)
        }
        guard let list = try await list(environmentID, listID), list.kind == .database else {
            throw Problem.notFound("list")
        }
        var reader = try Self.reader(bytes)
        let (names, unknown) = try Self.header(reader.next(), list, mapping, skipsUnknown: isDryRun)
        var result = ContactImport()
        result.unknown = unknown
        var seen: Set<KeyDigest> = []
        func process(_ batch: [Line]) async throws {
            if isDryRun {
                try await check(batch, environmentID, list, &result, &seen)
            } else {
                try await store(batch, environmentID, listID, &result)
            }
        }
        var batch: [Line] = []
        while let record = reader.next() {
            switch record {
            case .broken(let line, let reason):
                batch.append(Line(number: line, content: .failure(.init(reason: reason))))
            case .cells(let cells, let line):
                batch.append(Line(cells, names, number: line))
            }
            if batch.count == Self.maximumBatchSize {
                try await process(batch)
                batch = []
            }
        }
        try await process(batch)
        return result
    }

    private static func reader(_ file: [UInt8]) throws -> CSVReader {
        do { return try CSVReader(file) } catch { throw Problem.invalidValue("the file", error.description) }
    }

    private struct Line: Sendable {
        let number: Int
        /// The values by column, or the reason why the line cannot be imported.
        let content: Result<[String: String], ContactValue.InvalidValue>

        package init(number: Int, content: Result<[String: String], ContactValue.InvalidValue>) {
            self.number = number
            self.content = content
        }

        private static func surplus(_ count: Int, of wanted: Int) -> String {
            "\(count) values, but the first line names \(wanted == 1 ? "1 column" : "\(wanted) columns")."
        }

        /// `names` has `nil` for a column that is left out. Some programs leave out empty cells at a line's end, others
        /// write more of them than there are columns.
        package init(_ cells: [String], _ names: [String?], number: Int) {
            self.number = number
            let count = 1 + (cells.lastIndex { !CSVReader.isBlank($0) } ?? -1)
            guard count <= names.count else {
                content = .failure(.init(reason: Self.surplus(count, of: names.count)))
                return
            }
            let missing = Array(repeating: "", count: max(names.count - cells.count, 0))
            let values = zip(names, cells + missing).compactMap { name, cell in name.map { ($0, cell) } }
            content = .success(Dictionary(values) { first, _ in first })
        }
    }

    /// A digest of a line's key, small enough to keep in memory for every line of a file of the maximum size.
    private struct KeyDigest: Hashable {
        private let parts: SIMD2<UInt64>

        init(_ key: [ContactList.KeyValue]) {
            // No value contains NUL, so different keys have different texts.
            let text = key.map { ContactValue.folded($0.text, in: $0.column) }.joined(separator: "\0")
            parts = SHA256.hash(data: Data(text.utf8)).withUnsafeBytes {
                $0.loadUnaligned(as: SIMD2<UInt64>.self)
            }
        }
    }

    /// Counts the contacts that the lines would add and change. `seen` has the keys of the lines before: a second line
    /// with the key of a new contact would change that contact.
    private func check(
        _ batch: [Line], _ environmentID: EnvironmentID, _ list: ContactList, _ result: inout ContactImport,
        _ seen: inout Set<KeyDigest>
    ) async throws {
        var keys: [[ContactList.KeyValue]] = []
        for line in batch {
            do {
                let key = try list.validated(line.content.get()).key
                if key.isEmpty || seen.insert(KeyDigest(key)).inserted {
                    keys.append(key)
                } else {
                    result.updated += 1
                }
            } catch let mismatch as ContactValue.InvalidValue {
                result.fail(line.number, mismatch.reason)
            }
        }
        guard !keys.isEmpty else { return }
        let added = try await newContacts(environmentID, list, keys)
        result.added += added
        result.updated += keys.count - added
    }

    /// Returns the number of keys that no contact has.
    private func newContacts(
        _ environmentID: EnvironmentID, _ list: ContactList, _ keys: [[ContactList.KeyValue]]
    ) async throws -> Int {
        let moment = now()
        return try await database.read { connection in
            let contacts = ContactTransaction(
                environmentID: environmentID, now: moment, connection: connection)
            return try keys.count { try contacts.oldest(list, where: $0) == nil }
        }
    }

    private func store(
        _ batch: [Line], _ environmentID: EnvironmentID, _ listID: Int64,
        _ result: inout ContactImport
    ) async throws {
        guard !batch.isEmpty else { return }
        let before = result
        result = try await write(environmentID) { contacts in
            guard let list = try contacts.list(listID) else { throw Problem.notFound("list") }
            var result = before
            for line in batch {
                do {
                    if try contacts.save(line.content.get(), in: list, from: 0).isNew {
                        result.added += 1
                    } else {
                        result.updated += 1
                    }
                } catch let mismatch as ContactValue.InvalidValue {
                    result.fail(line.number, mismatch.reason)
                }
            }
            return result
        }
    }

    private static func header(
        _ record: CSVReader.Record?, _ list: ContactList, _ mapping: [Int: String], skipsUnknown: Bool
    ) throws -> (names: [String?], unknown: [ContactImport.UnknownColumn]) {
        let (cells, line) = try header(record)
        var seen: Set<String> = []
        var unknown: [ContactImport.UnknownColumn] = []
        let names = try cells.enumerated().map { index, cell -> String? in
            let name = cell.trimmingCharacters(in: .whitespaces)
            var column = list.column(name)
            if column == nil {
                unknown.append(.init(index: index, name: name.prefix(scalars: 100)))
                let isLeftOut = mapping[index].map(\.isEmpty) ?? skipsUnknown
                if isLeftOut { return nil }
                column = mapping[index].flatMap { list.column($0) }
            }
            guard let column else {
                throw Problem.invalidValue(line, "The list has no column \(name.prefix(scalars: 100)).")
            }
            guard seen.insert(column.key).inserted else {
                throw Problem.invalidValue(line, "The column \(column.name) is listed twice.")
            }
            return column.name
        }
        return (names, unknown)
    }

    /// Returns the names of the columns without empty ones at the end, and the line for error messages.
    private static func header(
        _ record: CSVReader.Record?
    ) throws -> (cells: ArraySlice<String>, line: String) {
        switch record {
        case nil: throw Problem.invalidValue("line 1", "The first line names the columns.")
        case .broken(let line, let reason):
            throw Problem.invalidValue("line \(line)", "It names the columns, and cannot be read: \(reason).")
        case .cells(let cells, let line):
            let count = 1 + (cells.lastIndex { !CSVReader.isBlank($0) } ?? 0)
            return (cells.prefix(count), "line \(line)")
        }
    }
}

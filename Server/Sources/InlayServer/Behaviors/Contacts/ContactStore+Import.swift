import Foundation
import InlaySQL
import InlayWire

/// What became of a file of contacts.
package struct ContactImport: Hashable, Sendable {
    /// A line that was not taken.
    package struct Fault: Hashable, Sendable {
        /// From 1, as editors count.
        package let line: Int
        package let reason: String
    }

    package var added = 0
    package var updated = 0
    /// How many lines were not taken; the first 200 are in ``faults``.
    package var failed = 0
    package var faults: [Fault] = []

    mutating func fail(_ line: Int, _ reason: String) {
        failed += 1
        if faults.count < 200 { faults.append(Fault(line: line, reason: reason)) }
    }
}

extension ContactStore {
    /// The largest file, in bytes.
    package static let largestImport = 64 << 20
    /// Contacts of one transaction.
    private static let pieceSize = 200

    /// Adds or changes contacts from comma-separated values whose first line names the columns.
    ///
    /// A line that is broken or does not fit is named in the result; all others are taken. Throws
    /// `invalid-value` when the first line cannot be used, and `body-too-large`.
    package func importCSV(
        _ environmentID: String, _ listID: Int64, _ bytes: [UInt8]
    ) async throws -> ContactImport {
        guard bytes.count <= Self.largestImport else {
            throw Problem.bodyTooLarge(limit: Self.largestImport)
        }
        guard let list = try await list(environmentID, listID), list.kind == .database else {
            throw Problem.notFound("list")
        }
        var reader = CSVReader(bytes)
        let names = try Self.header(reader.next(), list)
        var result = ContactImport()
        var piece: [Line] = []
        while let record = reader.next() {
            switch record {
            case .broken(let line, let reason):
                piece.append(Line(number: line, content: .failure(.init(reason: reason))))
            case .cells(let cells, let line):
                piece.append(Line(cells, names, number: line))
            }
            if piece.count == Self.pieceSize {
                try await take(piece, environmentID, listID, &result)
                piece = []
            }
        }
        try await take(piece, environmentID, listID, &result)
        return result
    }

    private struct Line: Sendable {
        let number: Int
        /// Values by column, or why they cannot be read.
        let content: Result<[String: String], ContactValue.Misfit>

        init(number: Int, content: Result<[String: String], ContactValue.Misfit>) {
            self.number = number
            self.content = content
        }

        init(_ cells: [String], _ names: [String], number: Int) {
            self.number = number
            content =
                cells.count == names.count
                ? .success(Dictionary(zip(names, cells)) { first, _ in first })
                : .failure(.init(reason: "\(cells.count) cells in place of \(names.count)"))
        }
    }

    private func take(
        _ piece: [Line], _ environmentID: String, _ listID: Int64,
        _ result: inout ContactImport
    ) async throws {
        guard !piece.isEmpty else { return }
        let before = result
        result = try await write(environmentID) { contacts in
            guard let list = try contacts.list(listID) else { throw Problem.notFound("list") }
            var result = before
            for line in piece {
                do {
                    if try contacts.save(line.content.get(), in: list, from: 0).isNew {
                        result.added += 1
                    } else {
                        result.updated += 1
                    }
                } catch let misfit as ContactValue.Misfit {
                    result.fail(line.number, misfit.reason)
                }
            }
            return result
        }
    }

    private static func header(_ record: CSVReader.Record?, _ list: ContactList) throws -> [String] {
        guard case .cells(let cells, _) = record else {
            throw Problem.invalidValue("line 1", "The first line names the columns.")
        }
        var seen: Set<String> = []
        return try cells.map { cell in
            guard let column = list.column(cell.trimmingCharacters(in: .whitespaces)) else {
                throw Problem.invalidValue("line 1", "The list has no column \(cell.prefix(100)).")
            }
            guard seen.insert(column.key).inserted else {
                throw Problem.invalidValue("line 1", "The column \(column.name) stands there twice.")
            }
            return column.name
        }
    }
}

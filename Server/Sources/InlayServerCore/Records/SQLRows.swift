package import InlaySQL

/// Many rows in one statement, in few different sizes, so that few statements need to be prepared.
package enum SQLRows {
    /// The sizes of groups, the largest first.
    package static let groupSizes = [512, 256, 128, 64, 32, 16, 8, 4, 2, 1]

    /// Returns the elements in groups of 512, then at most one of each smaller power of two.
    package static func groups<Element>(_ elements: [Element]) -> [ArraySlice<Element>] {
        var groups: [ArraySlice<Element>] = []
        var start = 0
        for size in groupSizes {
            while elements.count - start >= size {
                groups.append(elements[start..<start + size])
                start += size
            }
        }
        return groups
    }

    /// Returns the elements in batches of ``maximumRows``.
    package static func batches<Element>(_ elements: [Element]) -> [ArraySlice<Element>] {
        stride(from: 0, to: elements.count, by: maximumRows).map {
            elements[$0..<min($0 + maximumRows, elements.count)]
        }
    }

    /// Rows for a ``table(_:_:_:)``, followed by empty ones.
    package struct Padded {
        /// Rows, the empty ones included.
        package let count: Int
        /// The values of all rows, one row after another.
        package let values: [SQLValue]
    }

    /// The maximum number of rows of a ``table(_:_:_:)``.
    package static let maximumRows = groupSizes[0]

    /// Returns up to ``maximumRows`` rows, filled up with rows of empty texts and zeros to one of few sizes.
    ///
    /// The statement leaves out rows whose first text is empty: no id is empty.
    package static func padded(_ rows: [[SQLValue]]) -> Padded {
        let count = [1, 8, 64].first { $0 >= rows.count } ?? maximumRows
        let empty = (rows.first ?? []).map { value -> SQLValue in
            if case .text = value { .text("") } else { .integer(0) }
        }
        let filling = Array(repeating: empty, count: count - rows.count)
        return Padded(count: count, values: (rows + filling).flatMap { $0 })
    }

    /// Returns a table of arguments, to follow `WITH`.
    package static func table(_ name: String, _ columns: [String], _ count: Int) -> String {
        let row = "(" + Array(repeating: "?", count: columns.count).joined(separator: ", ") + ")"
        return "\(name) (\(columns.joined(separator: ", "))) AS (VALUES \(values(row, count)))"
    }

    /// Returns the tuple `count` times, separated by commas.
    package static func values(_ tuple: String, _ count: Int) -> String {
        Array(repeating: tuple, count: count).joined(separator: ", ")
    }
}

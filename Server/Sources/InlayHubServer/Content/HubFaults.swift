import InlayServerCore
@_spi(Inlay) package import InlayWire

/// The faults that prevent a source from being published, each with its place.
///
/// An ``Item`` is also used as a warning about a part of a text that its page does not show.
package struct HubFaults: Error, Hashable, Sendable, CustomStringConvertible {
    /// A fault or a warning.
    package struct Item: Codable, Hashable, Sendable {
        /// A file's path, or an item such as `article first-ferry`.
        package var place: String
        /// The line in the file, from 1.
        package var line: Int?
        /// One sentence for the author.
        package var message: String
        /// The field with the fault, for example `channels[0]`.
        package var field: String?
        /// The part of the text with the fault, verbatim.
        package var quote: String?

        /// Returns `place:line: message`, with `word` before the message. Control characters, which a terminal could
        /// execute, are replaced.
        package func text(_ word: String = "") -> String {
            let place = place + (line.map { ":\($0)" } ?? "")
            let text = "\(place): \(word)" + (field.map { "\($0): " } ?? "") + message
            let scalars: [Unicode.Scalar] = text.unicodeScalars.map {
                $0.properties.generalCategory == .control && $0 != "\n" ? "\u{FFFD}" : $0
            }
            return String(String.UnicodeScalarView(scalars))
        }
    }

    /// The faults in the order in which they were found.
    package private(set) var items: [Item] = []

    /// Creates an empty list.
    package init() {}

    /// Creates a list of one fault.
    package init(_ place: String, _ message: String, line: Int? = nil) { add(place, message, line: line) }

    package mutating func add(
        _ place: String, _ message: String, line: Int? = nil, field: String? = nil, quote: String? = nil
    ) {
        items.append(Item(place: place, line: line, message: message, field: field, quote: quote))
    }

    /// Returns the faults after `change` has corrected the place of each.
    package func changingItems(_ change: (inout Item) -> Void) -> HubFaults {
        var faults = HubFaults()
        faults.items = items.map { item in
            var item = item
            change(&item)
            return item
        }
        return faults
    }

    package mutating func add(_ others: HubFaults) { items += others.items }

    /// Runs a check and adds the errors that it throws.
    mutating func collect(_ place: String, _ check: () throws -> Void) {
        do {
            try check()
        } catch let errors as FieldErrors {
            for item in errors.items { add(place, item.message, field: item.field) }
        } catch let problem as Problem {
            add(place, problem.detail ?? problem.title)
        } catch {
            add(place, "\(error)")
        }
    }

    package func throwIfAny() throws {
        if !items.isEmpty { throw self }
    }

    /// One line for each fault: `place:line: message`.
    package var description: String { items.map { $0.text() }.joined(separator: "\n") }

    /// The faults as a response of the API: 422 `invalid-value`, with the first 100 lines of the description.
    package var problem: Problem {
        var lines = description.split(separator: "\n").prefix(100).joined(separator: "\n")
        if items.count > 100 { lines += "\n… and \(items.count - 100) more." }
        return Problem(.invalidValue, status: 422, title: "The content cannot be published.", detail: lines)
    }
}

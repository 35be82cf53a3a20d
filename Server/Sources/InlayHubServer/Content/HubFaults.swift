import InlayServerCore
@_spi(Inlay) package import InlayWire

/// Everything that keeps a source from being published, each with its place.
///
/// ``Item`` is also a warning: a part of a text that is not on its page.
package struct HubFaults: Error, Hashable, Sendable, CustomStringConvertible {
    /// One thing that is wrong.
    package struct Item: Codable, Hashable, Sendable {
        /// A file's path, or an item such as `article first-ferry`.
        package var place: String
        /// The line in the file, from 1.
        package var line: Int?
        /// One sentence for a person.
        package var message: String
        /// The field it is about, for example `channels[0]`.
        package var field: String?
        /// The words in the text that it is about.
        package var quote: String?

        /// `place:line: message`, with a word in front of the message, and without control characters that a terminal
        /// would act on.
        package func text(_ word: String = "") -> String {
            let place = place + (line.map { ":\($0)" } ?? "")
            let text = "\(place): \(word)" + (field.map { "\($0): " } ?? "") + message
            let scalars: [Unicode.Scalar] = text.unicodeScalars.map {
                $0.properties.generalCategory == .control && $0 != "\n" ? "\u{FFFD}" : $0
            }
            return String(String.UnicodeScalarView(scalars))
        }
    }

    /// In the order in which they were found.
    package private(set) var items: [Item] = []

    /// No faults yet.
    package init() {}

    /// A single fault.
    package init(_ place: String, _ message: String, line: Int? = nil) { add(place, message, line: line) }

    package mutating func add(
        _ place: String, _ message: String, line: Int? = nil, field: String? = nil, quote: String? = nil
    ) {
        items.append(Item(place: place, line: line, message: message, field: field, quote: quote))
    }

    /// Returns the same faults, with places that the caller corrects.
    package func placed(_ change: (inout Item) -> Void) -> HubFaults {
        var faults = HubFaults()
        faults.items = items.map { item in
            var item = item
            change(&item)
            return item
        }
        return faults
    }

    package mutating func add(_ others: HubFaults) { items += others.items }

    /// Runs a check and keeps what it found.
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

    /// The same as an answer of the API: 422 `invalid-value`, a line for each of the first hundred.
    package var problem: Problem {
        var lines = description.split(separator: "\n").prefix(100).joined(separator: "\n")
        if items.count > 100 { lines += "\n… and \(items.count - 100) more." }
        return Problem(.invalidValue, status: 422, title: "The content cannot be published.", detail: lines)
    }
}

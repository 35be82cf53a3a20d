@_spi(Inlay) package import InlayWire

/// The faults of a form, field by field, so that a page can show each beside its field.
package struct FieldErrors: Error, Hashable, Sendable {
    /// A fault of one field.
    package struct Item: Hashable, Sendable {
        /// A path such as `elements[2].url` or `variables[0].name`.
        package var field: String
        /// One sentence for a person.
        package var message: String
    }

    /// Every fault found, in the order of the form.
    package private(set) var items: [Item] = []

    /// Creates a value without faults.
    package init() {}

    /// Creates a value with a single fault.
    package init(_ field: String, _ message: String) { add(field, message) }

    /// The messages of one field.
    package func messages(for field: String) -> [String] {
        items.filter { $0.field == field }.map(\.message)
    }

    /// The faults as a response of the API: 422 `invalid-value`, all faults in the detail.
    package var problem: Problem {
        Problem(
            .invalidValue, status: 422, title: "Some fields are invalid.",
            detail: items.map { "\($0.field): \($0.message)" }.joined(separator: " "))
    }

    package mutating func add(_ field: String, _ message: String) {
        items.append(Item(field: field, message: message))
    }

    /// Adds the faults of a part of the form; this path is put in front of their fields.
    package mutating func add(_ faults: FieldErrors, below path: String) {
        for item in faults.items { add("\(path).\(item.field)", item.message) }
    }

    package func throwIfAny() throws(FieldErrors) {
        if !items.isEmpty { throw self }
    }
}

import InlayServerCore

/// The parts of an author's text that the sanitizer removed, grouped by message.
struct HTMLLosses {
    /// Removed parts with the same message.
    struct Item: Hashable {
        /// A sentence for the author.
        let message: String
        /// The first removed part verbatim, to find its line; at most 200 Unicode scalars, empty without one.
        let quote: String
        /// The number of removed parts.
        var count = 1

        /// The sentence, with the number of removed parts if there are several.
        var text: String { count == 1 ? message : "\(message) (\(count) times)" }
    }

    /// The maximum number of items.
    static let maximumItems = 100

    /// The items in the order in which they were found.
    private(set) var items: [Item] = []
    /// The number of removed parts that no item counts.
    private(set) var uncountedParts = 0
    private var places: [String: Int] = [:]

    mutating func add(_ message: String, quote: String) {
        if let place = places[message] {
            items[place].count += 1
        } else if items.count < Self.maximumItems {
            places[message] = items.count
            items.append(Item(message: message, quote: quote.prefix(scalars: 200)))
        } else {
            uncountedParts += 1
        }
    }
}

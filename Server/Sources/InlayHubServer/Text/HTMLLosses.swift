import InlayServerCore

/// The parts of an author's text that its page does not have, each kind once.
struct HTMLLosses {
    /// One kind of loss.
    struct Item: Hashable {
        /// One sentence for the author.
        let message: String
        /// The words that it is about, to find their line; empty where there are none.
        let quote: String
        /// The number of times.
        var count = 1

        /// The sentence with the number of times.
        var text: String { count == 1 ? message : "\(message) (\(count) times)" }
    }

    /// The maximum number of kinds that are named.
    static let maximum = 100

    /// In the order in which they were found.
    private(set) var items: [Item] = []
    /// The number of losses that are not among them.
    private(set) var more = 0
    private var places: [String: Int] = [:]

    mutating func add(_ message: String, quote: String) {
        if let place = places[message] {
            items[place].count += 1
        } else if items.count < Self.maximum {
            places[message] = items.count
            items.append(Item(message: message, quote: quote.prefix(scalars: 200)))
        } else {
            more += 1
        }
    }
}

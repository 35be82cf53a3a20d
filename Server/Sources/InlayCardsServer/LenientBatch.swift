import InlayServerCore
@_spi(Inlay) import InlayWire

/// A batch in which each unreadable item is refused on its own.
///
/// A device sends an item until it has a receipt. An item that can never be read therefore gets a receipt with
/// a refusal, and does not block the items after it.
struct LenientBatch<Item: Codable & Sendable & Identifiable>: Decodable, Sendable where Item.ID == String {
    /// The maximum number of items in one batch.
    private static var maximumCount: Int { 500 }

    private enum Entry: Sendable {
        case item(Item)
        case refused(ItemReceipt)
    }

    private struct DecodedEntry: Decodable {
        let entry: Entry

        private struct Identified: Decodable { let id: String }

        init(from decoder: any Decoder) throws {
            do {
                entry = .item(try Item(from: decoder))
            } catch {
                let id = (try? Identified(from: decoder))?.id ?? ""
                entry = .refused(
                    ItemReceipt(
                        id: id.prefix(scalars: CardLimits.nameLength),
                        refusal: Problem(
                            .malformedBody, status: 400, title: "This item could not be read.",
                            detail: "A field is missing or has another type.")))
            }
        }
    }

    private let entries: [Entry]

    private enum CodingKeys: String, CodingKey { case items }

    init(from decoder: any Decoder) throws {
        entries = try decoder.container(keyedBy: CodingKeys.self).decode([DecodedEntry].self, forKey: .items)
            .map(\.entry)
    }

    /// Applies the readable items and returns a receipt for each item of the batch, in order. Throws
    /// `invalid-value` when there are more than 500.
    func receipt(_ apply: ([Item]) async throws -> [ItemReceipt]) async throws -> BatchReceipt {
        guard entries.count <= Self.maximumCount else {
            throw Problem.invalidValue("items", "At most \(Self.maximumCount) in one batch.")
        }
        let items = entries.compactMap { entry in
            if case .item(let item) = entry { item } else { nil }
        }
        var applied = try await items.isEmpty ? [] : apply(items)[...]
        return BatchReceipt(
            receipts: entries.compactMap { entry in
                switch entry {
                case .item: applied.popFirst()
                case .refused(let receipt): receipt
                }
            })
    }
}

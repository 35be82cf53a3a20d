import InlayServerCore
@_spi(Inlay) import InlayWire

/// A batch of which items that cannot be read are refused one by one.
///
/// The device keeps what has no receipt and sends it again, so an item that never can be read must get
/// its refusal, and must not keep the items behind it from arriving.
struct LenientBatch<Item: Codable & Sendable & Identifiable>: Decodable, Sendable where Item.ID == String {
    /// Items of one batch.
    static var limit: Int { 500 }

    private enum Entry: Sendable {
        case item(Item)
        case refused(ItemReceipt)
    }

    private struct Lenient: Decodable {
        let entry: Entry

        private struct Named: Decodable { let id: String }

        init(from decoder: any Decoder) throws {
            do {
                entry = .item(try Item(from: decoder))
            } catch {
                let id = (try? Named(from: decoder))?.id ?? ""
                entry = .refused(
                    ItemReceipt(
                        id: String(id.prefix(CardLimits.name)),
                        refusal: Problem(
                            .malformedBody, status: 400, title: "This item could not be read.",
                            detail: "A field is missing or has another type.")))
            }
        }
    }

    private let entries: [Entry]

    private enum CodingKeys: String, CodingKey { case items }

    init(from decoder: any Decoder) throws {
        entries = try decoder.container(keyedBy: CodingKeys.self).decode([Lenient].self, forKey: .items).map(
            \.entry)
    }

    /// Hands the readable items on and answers all of them, in order. Throws `invalid-value` when there
    /// are more than 500.
    func receipt(_ apply: ([Item]) async throws -> [ItemReceipt]) async throws -> BatchReceipt {
        guard entries.count <= Self.limit else {
            throw Problem.invalidValue("items", "At most \(Self.limit) in one batch.")
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

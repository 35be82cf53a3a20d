/// An item for the outbox.
struct TestItem: Codable, Identifiable, Sendable {
    var id: String
    var text = ""

    init(_ number: Int, text: String = "") {
        id = "item-\(number)"
        self.text = text
    }
}

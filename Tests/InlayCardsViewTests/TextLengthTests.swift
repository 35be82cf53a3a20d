import Foundation
@_spi(Inlay) import InlayCardsView
@_spi(Inlay) import InlayWire
import Testing

/// The length of a user's feedback text; `e2e/test_surface_script.py` tests the page with the same vectors.
@Suite struct TextLengthTests {
    struct Vector: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        let times: Int
        let characters: Int

        var whole: String { String(repeating: text, count: times) }
        var testDescription: String { name }
    }

    private static let vectors: [Vector] = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Fixtures/characters.json")
        return (try? JSONDecoder().decode([Vector].self, from: Data(contentsOf: file))) ?? []
    }()

    @Test func `there are vectors of every kind`() { #expect(Self.vectors.count == 18) }

    @Test(arguments: vectors)
    func `the SDK counts characters as the page does`(_ vector: Vector) {
        #expect(vector.whole.count == vector.characters)
    }

    @Test func `a feedback text is cut after a whole character`() throws {
        typealias Reason = CardListConfiguration.FeedbackReason
        for vector in Self.vectors where vector.characters == 1 {
            let long = String(repeating: vector.text + "-", count: 141)
            let limited = Reason.limited(long)
            #expect(limited.count == 280 && long.hasPrefix(limited), "\(vector.name)")
            #expect(Reason.limited(vector.text) == vector.text)
        }
        // 35 bytes each: the limit of bytes is reached before the limit of characters.
        let kiss = try #require(Self.vectors.first { $0.text.utf8.count == 35 }).text
        #expect(Reason.limited(String(repeating: kiss, count: 280)) == String(repeating: kiss, count: 171))
    }

    @Test func `the longest feedback text fits into an analytics event`() throws {
        // Characters that JSON escapes, then characters of many bytes, as many as the limits allow.
        let escaped = String(repeating: "\u{1}", count: 200)
        let text = CardListConfiguration.FeedbackReason.limited(
            escaped + String(repeating: "a" + String(repeating: "\u{301}", count: 50), count: 280))
        let properties: [String: JSONValue] = [
            "source": "overflow", "reason": .string(CardListConfiguration.FeedbackReason.other.rawValue),
            "message": .string(text),
        ]
        #expect(text.utf8.count > 5_800)
        #expect(try JSONEncoder().encode(properties).count <= 8 << 10)
    }

    @Test func `no template limits a text with maxlength`() throws {
        let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardizedFileURL
        var templates = 0
        for folder in ["Sources", "Server/Sources"] {
            let files = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
            for case let path as String in try #require(files) where path.hasSuffix(".mustache") {
                templates += 1
                let file = root.appendingPathComponent(folder).appendingPathComponent(path)
                let text = try String(contentsOf: file, encoding: .utf8)
                #expect(!text.lowercased().contains("maxlength"), "\(path)")
            }
        }
        #expect(templates > 100)
    }
}

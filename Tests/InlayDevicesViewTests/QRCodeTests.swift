import Foundation
import Testing

@_spi(Inlay) @testable import InlayDevicesView
@_spi(Inlay) @testable import InlaySurface

/// QR codes, compared module by module with those of another encoder. `e2e/test_picture.py` checks with another
/// decoder that the fixture's codes contain their texts.
@Suite struct QRCodeTests {
    /// A code of the fixture.
    struct Golden: Decodable, CustomTestStringConvertible, Sendable {
        let version: Int
        let mask: Int
        let text: String
        /// The modules row by row, one bit each, as hexadecimal digits.
        let modules: String

        var testDescription: String { "version \(version), mask \(mask), \(text.utf8.count) bytes" }
    }

    private static let golden: [Golden] = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Fixtures/qr-codes.json")
        return (try? JSONDecoder().decode([Golden].self, from: Data(contentsOf: file))) ?? []
    }()

    private static func hexadecimal(_ modules: [Bool]) -> String {
        stride(from: 0, to: modules.count, by: 4).map { start in
            let four = (start..<start + 4).map { modules.indices.contains($0) && modules[$0] }
            return String(four.reduce(0) { $0 << 1 | ($1 ? 1 : 0) }, radix: 16)
        }.joined()
    }

    @Test(arguments: golden)
    func `a code is the same, module by module, as another encoder's`(_ golden: Golden) throws {
        let code = try #require(QRCode(golden.text, mask: golden.mask))
        #expect(code.side == golden.version * 4 + 17)
        #expect(Self.hexadecimal(code.modules) == golden.modules)
    }

    @Test func `the fixture has every size full and nearly empty, and every mask`() {
        #expect(Set(Self.golden.map(\.version)) == Set(1...13))
        #expect(Set(Self.golden.map(\.mask)) == Set(0...7))
        let lengths = Set(Self.golden.map(\.text.utf8.count))
        for length in [1, 14, 15, 26, 27, 122, 123, 213, 214, 331] { #expect(lengths.contains(length)) }
    }

    @Test func `a text that is too long for the largest code has no code`() {
        #expect(QRCode(String(repeating: "x", count: 331)) != nil)
        #expect(QRCode(String(repeating: "x", count: 332)) == nil)
        #expect(QRCode(String(repeating: "é", count: 166)) == nil)
    }

    @Test func `a code without a given mask chooses one of the eight`() throws {
        for length in [1, 40, 130, 263] {
            let text = String(repeating: "A", count: length)
            let chosen = try #require(QRCode(text))
            let all = try (0..<8).map { try #require(QRCode(text, mask: $0)) }
            #expect(all.contains(chosen) && Set(all).count == 8)
        }
    }

    @Test func `the path draws the dark modules inside a light border`() throws {
        let code = try #require(QRCode("x", mask: 0))
        let whole = code.side + 2 * QRCode.quietZone
        var drawn: Set<Int> = []
        for run in code.path.split(separator: "M") {
            let numbers = run.split { !$0.isNumber }.compactMap { Int($0) }
            let (x, y, width) = (numbers[0], numbers[1], numbers[2])
            drawn.formUnion((x..<x + width).map { y * whole + $0 })
        }
        let dark = code.modules.indices.filter { code.modules[$0] }.map { index in
            (index / code.side + QRCode.quietZone) * whole + index % code.side + QRCode.quietZone
        }
        #expect(drawn == Set(dark))
    }
}

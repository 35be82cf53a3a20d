import Foundation
@_spi(Inlay) import InlayWire
import Testing

@Suite struct TextFileTests {
    static let text = "Email;Ort\r\nmaya@harbor.example;Åland, 🚢 ٣\n"

    /// Returns the text in UTF-16 with a byte order mark.
    static func utf16(_ text: String, isBigEndian: Bool = false) -> Data {
        Data(
            ("\u{FEFF}" + text).utf16.flatMap { unit -> [UInt8] in
                let (low, high) = (UInt8(unit & 0xFF), UInt8(unit >> 8))
                return isBigEndian ? [high, low] : [low, high]
            })
    }

    @Test func `a text is the same in all supported encodings, with and without a byte order mark`() throws {
        let plain = Data(Self.text.utf8)
        for file in [
            plain, Data([0xEF, 0xBB, 0xBF]) + plain, Self.utf16(Self.text),
            Self.utf16(Self.text, isBigEndian: true),
        ] {
            #expect(try TextFile.text(file) == Self.text, "\(Array(file.prefix(4)))")
            #expect(try TextFile.utf8(file) == plain)
            #expect(try TextFile.utf8(Array(file)) == Array(plain))
            // The indices of a slice do not begin at 0.
            #expect(try TextFile.text((Data([0x41]) + file).dropFirst()) == Self.text)
        }
        for empty in [Data(), Data([0xEF, 0xBB, 0xBF]), Data([0xFF, 0xFE]), Data([0xFE, 0xFF])] {
            #expect(try TextFile.text(empty).isEmpty)
        }
        #expect(try TextFile.text(Data([0x41, 0x0A])) == "A\n")
    }

    @Test(
        arguments: [
            ([0xFF, 0xFE, 0, 0, 0x41, 0, 0, 0], .unsupported("UTF-32")),
            ([0, 0, 0xFE, 0xFF, 0, 0, 0, 0x41], .unsupported("UTF-32")),
            ([0x41, 0, 0x42, 0], .unsupported("UTF-16 or UTF-32 without a byte order mark")),
            ([0, 0x41, 0, 0x42], .unsupported("UTF-16 or UTF-32 without a byte order mark")),
            ([0xFF, 0xFE, 0x41, 0, 0x42], .brokenUTF16),
            // Half of a surrogate pair, at the end and before another character.
            ([0xFF, 0xFE, 0x3D, 0xD8], .brokenUTF16), ([0xFE, 0xFF, 0xD8, 0x3D, 0, 0x41], .brokenUTF16),
            ([0x41, 0x0A, 0xE6, 0x0A], .notUTF8(line: 2)),
            ([0xEF, 0xBB, 0xBF, 0x41, 0x0A, 0x0A, 0xC3, 0x28], .notUTF8(line: 3)),
        ] as [([UInt8], TextFile.EncodingError)])
    func `the error names the unsupported encoding or the line of the first invalid byte`(
        _ bytes: [UInt8], _ error: TextFile.EncodingError
    ) {
        #expect(throws: error) { try TextFile.text(Data(bytes)) }
        #expect(error.description.contains(error.found) && error.description.hasSuffix("Save it as UTF-8."))
    }
}

import Crypto
import Foundation
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The signed content of a tracker's URL: impression, event and end, without a price.
///
/// 44 bytes in base64url: version, key id (6), impression (16), event (1), end in seconds (4), and the
/// first 16 bytes of an HMAC-SHA-256 over the rest.
struct AdTrackerToken: Hashable, Sendable {
    private static let version: UInt8 = 1
    private static let bodyBytes = 28
    private static let tagBytes = 16
    private static let context = Data("inlay ad tracker".utf8)

    let keyID: String
    let impressionID: AdImpressionID
    let event: AdEventName
    /// The end of the token, in whole seconds.
    let endsAt: Timestamp

    /// Returns the token's text, signed with the key; empty when the impression's id is no UUID.
    static func text(
        _ impressionID: AdImpressionID, _ event: AdEventName, until end: Timestamp, _ key: AdKey
    ) -> String {
        let impression = bytes(ofHex: impressionID.rawValue.filter { $0 != "-" })
        guard let code = code(of: event), impression.count == 16 else { return "" }
        var body = [version]
        body.reserveCapacity(bodyBytes + tagBytes)
        body += bytes(ofHex: key.id)
        body += impression
        body.append(code)
        let seconds = UInt32(clamping: end.microseconds / 1_000_000)
        withUnsafeBytes(of: seconds.bigEndian) { body += $0 }
        body += tag(body, key)
        return Secret.base64URL(body)
    }

    /// Reads a token without checking its signature; returns `nil` for anything that cannot be a token.
    static func read(_ text: String) -> (token: AdTrackerToken, bytes: [UInt8])? {
        guard text.utf8.count == 59, let data = data(ofBase64URL: text), data.count == bodyBytes + tagBytes,
            data[0] == version, let event = event(of: data[23])
        else { return nil }
        let uuid = AdKey.hex(data[7..<23])
        let seconds = data[24..<28].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let token = AdTrackerToken(
            keyID: AdKey.hex(data[1..<7]), impressionID: AdImpressionID(dashed(uuid)), event: event,
            endsAt: Timestamp(microseconds: Int64(seconds) * 1_000_000))
        return (token, data)
    }

    /// Whether the key signed the bytes; takes the same time wherever the signatures differ.
    static func isSigned(_ bytes: [UInt8], by key: AdKey) -> Bool {
        let expected = tag(Array(bytes.prefix(bodyBytes)), key)
        let given = bytes.suffix(tagBytes)
        guard given.count == expected.count else { return false }
        return zip(expected, given).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private static func tag(_ body: [UInt8], _ key: AdKey) -> [UInt8] {
        var code = HMAC<SHA256>(key: SymmetricKey(data: key.secret))
        code.update(data: context)
        code.update(data: body)
        return Array(code.finalize().prefix(tagBytes))
    }

    // An event's code is its position from 1. It is never given to another event, because tokens outlive a release.
    private static let events: [AdEventName] = [
        .view, .click, .start, .firstQuartile, .midpoint, .thirdQuartile, .complete, .close, .error, .reward,
        .skip, .mute, .unmute, .pause, .resume,
    ]
    private static let codes = Dictionary(
        events.enumerated().map { ($1, UInt8($0 + 1)) }
    ) { first, _ in first }

    private static func code(of event: AdEventName) -> UInt8? { codes[event] }

    private static func event(of code: UInt8) -> AdEventName? {
        (1...events.count).contains(Int(code)) ? events[Int(code) - 1] : nil
    }

    private static func bytes(ofHex text: String) -> [UInt8] {
        let digits = Array(text.utf8).map { $0 < 58 ? $0 &- 48 : $0 &- 87 }
        return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | (digits[$0 + 1] & 15) }
    }

    private static func dashed(_ hex: String) -> String {
        var text = Array(hex.utf8)
        for place in [20, 16, 12, 8] { text.insert(UInt8(ascii: "-"), at: place) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the bytes; `nil` unless the text is the only valid one, so that a token has no second spelling.
    private static func data(ofBase64URL text: String) -> [UInt8]? {
        let plain = text.replacing("-", with: "+").replacing("_", with: "/") + "="
        guard !text.contains(where: { $0 == "+" || $0 == "/" }), let data = Data(base64Encoded: plain),
            Secret.base64URL(data) == text
        else { return nil }
        return Array(data)
    }
}

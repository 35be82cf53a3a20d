import Foundation
@_spi(Inlay) package import InlayWire

/// A JSON number with the digits in which it was sent, of which an `Int64` or a `Double` may keep fewer.
package struct SentNumber: Decodable, Hashable, Sendable {
    /// The number as sent; up to 38 digits and exponents up to 127 are exact.
    package let decimal: DecimalNumber

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let sent = (try? container.decode(Decimal.self)).flatMap { DecimalNumber($0.description) }
        guard let decimal = try sent ?? DecimalNumber(container.decode(Double.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "It is no finite number.")
        }
        self.decimal = decimal
    }
}

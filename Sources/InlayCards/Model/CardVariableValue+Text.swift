import Foundation
@_spi(Inlay) package import InlayWire

extension CardVariableValue {
    /// The value as plain text that does not depend on the language; not for texts on screen.
    package var plainText: String {
        switch self {
        case .string(let text): text
        case .boolean(let value): value ? "true" : "false"
        case .number(let value): value.decimalText
        case .integer(let value): String(value)
        case .date(let moment): Date(timeIntervalSince1970: moment.seconds).formatted(.iso8601)
        }
    }
}

import Foundation
@_spi(Inlay) import InlaySurface
@_spi(Inlay) public import InlayWire

/// The values of one card's variables, and how dates among them are written.
@_spi(Inlay) public struct CardValues: Hashable, Sendable {
    /// Sent with the event; these win.
    public var sent: [String: CardVariableValue]
    /// Resolved by the app on the device.
    public var runtime: [String: String]
    /// BCP 47, for dates.
    public var locale: String
    /// IANA, for dates; an unknown name is read as UTC.
    public var timeZone: String

    /// Values for a card.
    public init(
        sent: [String: CardVariableValue] = [:], runtime: [String: String] = [:], locale: String = "en",
        timeZone: String = "UTC"
    ) {
        self.sent = sent
        self.runtime = runtime
        self.locale = locale
        self.timeZone = timeZone
    }

    /// The text of a variable: as sent, else as resolved at run time, else the declared default.
    func text(of name: String, declared: [CardVariable]) -> String? {
        if let value = sent[name] { return text(value) }
        if let value = runtime[name] { return value }
        return declared.first { $0.name == name }.map { text($0.defaultValue) }
    }

    private func text(_ value: CardVariableValue) -> String {
        switch value {
        case .string(let text): text
        case .boolean(let flag): flag ? "true" : "false"
        case .date(let moment): SurfaceDate.text(moment, locale: locale, timeZone: timeZone)
        case .number(let number): number.decimalText
        case .integer(let number): String(number)
        }
    }
}

import Foundation
@_spi(Inlay) import InlaySurface
@_spi(Inlay) public import InlayWire

/// The values of a card's variables, and the locale and time zone of their dates.
@_spi(Inlay) public struct CardValues: Hashable, Sendable {
    /// The values that were sent with the event. They replace all others.
    public var sent: [String: CardVariableValue]
    /// The values that the app resolved on the device.
    public var runtime: [String: String]
    /// The locale of dates, a BCP 47 tag.
    public var locale: String
    /// The time zone of dates, an IANA name. An unknown name stands for UTC.
    public var timeZone: String

    /// The values of a card.
    public init(
        sent: [String: CardVariableValue] = [:], runtime: [String: String] = [:], locale: String = "en",
        timeZone: String = "UTC"
    ) {
        self.sent = sent
        self.runtime = runtime
        self.locale = locale
        self.timeZone = timeZone
    }

    /// Returns the text of a variable: the value that was sent, else the resolved one, else the declared default.
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

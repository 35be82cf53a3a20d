@_spi(Inlay) public import InlayWire
import Foundation

/// Knows what the user agreed to. Read before every request.
public protocol AdConsentSource: Sendable {
    /// The consent that is known now.
    func consent() -> AdConsent
}

/// The consent that consent tools store in the user defaults, under the keys of the IAB.
///
/// `IABTCF_gdprApplies`, `IABTCF_TCString`, `IABGPP_HDR_GppString` and `IABGPP_GppSID`. Whether the app is
/// for children, and whether tracking is limited, the app says itself; on Apple's systems the answer to the
/// tracking question is read as well. Never asks anything.
///
/// A value that is there and cannot be read is sent as one that no server can read either, so that it consents to
/// nothing; a missing key, and an empty text, state nothing.
public struct StoredAdConsent: AdConsentSource {
    /// Whether the user is to be treated as a child.
    public var coppa: Bool?
    /// Whether ad tracking is limited, as the app knows it.
    public var lmt: Bool?
    private let suite: String?

    /// The values of the standard user defaults, or of a suite.
    public init(suite: String? = nil, coppa: Bool? = nil, lmt: Bool? = nil) {
        self.suite = suite
        self.coppa = coppa
        self.lmt = lmt
    }

    public func consent() -> AdConsent {
        let defaults = suite.flatMap { UserDefaults(suiteName: $0) } ?? .standard
        let att = AdTracking.status
        return AdConsent(
            gdprApplies: Self.flag(defaults.object(forKey: "IABTCF_gdprApplies")),
            tcf: Self.text(defaults.object(forKey: "IABTCF_TCString")),
            gpp: Self.text(defaults.object(forKey: "IABGPP_HDR_GppString")),
            gppSids: Self.sections(defaults.object(forKey: "IABGPP_GppSID")), coppa: coppa,
            lmt: lmt ?? att.map { $0 != 3 }, att: att)
    }

    /// A text that is no consent string: neither the TCF nor GPP has this character.
    private static let unreadableText = "?"
    /// A section that is none, as a consent tool says that it has not determined one.
    private static let unreadableSection = 0

    private static func text(_ value: Any?) -> String? {
        guard let value else { return nil }
        guard let text = value as? String, text.utf8.count <= AdLimits.consentBytes,
            text.utf8.allSatisfy({ $0 >= 32 })
        else { return unreadableText }
        return text.isEmpty ? nil : text
    }

    private static func flag(_ value: Any?) -> Bool? {
        switch value.map({ "\($0)" }) {
        case nil, "": nil
        case "0", "0.0", "false": false
        default: true
        }
    }

    private static func sections(_ value: Any?) -> [Int]? {
        guard let text = text(value) else { return nil }
        let ids = text.split { "_, ".contains($0) }.map { Int($0) ?? unreadableSection }
        return (1...AdLimits.consentSections).contains(ids.count) ? ids : [unreadableSection]
    }
}

/// The answer to the system's tracking question.
enum AdTracking {
    /// 0 not asked, 1 restricted, 2 denied, 3 allowed; `nil` where the system asks no such question.
    static var status: Int? {
        #if canImport(AppTrackingTransparency)
            SystemTracking.status
        #else
            nil
        #endif
    }
}

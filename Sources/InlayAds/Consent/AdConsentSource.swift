@_spi(Inlay) public import InlayWire
import Foundation

/// A source of the user's consent, which is read before every request.
public protocol AdConsentSource: Sendable {
    /// The consent that is known now.
    func consent() -> AdConsent
}

/// The consent that consent tools store in the user defaults, under the keys of the IAB.
///
/// The keys are `IABTCF_gdprApplies`, `IABTCF_TCString`, `IABGPP_HDR_GppString` and `IABGPP_GppSID`. The app itself
/// states whether the user is a child and whether tracking is limited; on Apple's systems the user's answer to the
/// tracking prompt is read as well. Never shows a prompt.
///
/// For a stored value that cannot be read, a value is sent that no server can read either, so that it consents to
/// nothing. A missing key and an empty text send no value.
public struct StoredAdConsent: AdConsentSource {
    /// Whether the user is to be treated as a child.
    public var coppa: Bool?
    /// Whether ad tracking is limited; `nil` takes the user's answer to the system's tracking prompt, if there is one.
    public var lmt: Bool?
    private let suite: String?

    /// Creates a source of the values in the standard user defaults, or in a suite.
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

    /// A text that is not a valid consent string, because neither TCF nor GPP strings contain this character.
    private static let unreadableText = "?"
    /// The number that stands for no section: consent tools store it when the section is not determined.
    private static let unreadableSection = 0

    private static func text(_ value: Any?) -> String? {
        guard let value else { return nil }
        guard let text = value as? String, text.utf8.count <= AdLimits.maximumConsentBytes,
            text.utf8.allSatisfy({ $0 >= 32 && $0 != 127 })
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
        return (1...AdLimits.maximumConsentSections).contains(ids.count) ? ids : [unreadableSection]
    }
}

/// The user's answer to the system's tracking prompt.
enum AdTracking {
    /// 0 not asked, 1 restricted, 2 denied, 3 allowed; `nil` where the system has no such prompt.
    static var status: Int? {
        #if canImport(AppTrackingTransparency)
            SystemTracking.status
        #else
            nil
        #endif
    }
}

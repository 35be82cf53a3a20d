/// The user's consent, in the formats that consent tools store. `nil` means that nothing is stated.
public struct AdConsent: Hashable, Sendable {
    /// Whether the GDPR applies (`IABTCF_gdprApplies`).
    public var gdprApplies: Bool?
    /// The TCF string (`IABTCF_TCString`).
    public var tcf: String?
    /// The GPP string (`IABGPP_HDR_GppString`).
    public var gpp: String?
    /// The sections of the GPP string that apply (`IABGPP_GppSID`).
    public var gppSids: [Int]?
    /// Whether the user is to be treated as a child.
    public var coppa: Bool?
    /// Whether ad tracking is limited. Then the id travels with nobody.
    public var lmt: Bool?
    /// The answer to the system's tracking question: 0 not asked, 1 restricted, 2 denied, 3 allowed.
    public var att: Int?

    /// Consent with the values that are known.
    public init(
        gdprApplies: Bool? = nil, tcf: String? = nil, gpp: String? = nil, gppSids: [Int]? = nil,
        coppa: Bool? = nil, lmt: Bool? = nil, att: Int? = nil
    ) {
        self.gdprApplies = gdprApplies
        self.tcf = tcf
        self.gpp = gpp
        self.gppSids = gppSids
        self.coppa = coppa
        self.lmt = lmt
        self.att = att
    }
}

extension AdConsent: Codable {
    private enum Key: String, CodingKey { case gdprApplies, tcf, gpp, gppSids, coppa, lmt, att }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        self.init(
            gdprApplies: values.readable(.gdprApplies), tcf: values.readable(.tcf),
            gpp: values.readable(.gpp), gppSids: values.readable(.gppSids), coppa: values.readable(.coppa),
            lmt: values.readable(.lmt), att: values.readable(.att))
    }
}

extension KeyedDecodingContainer {
    /// The value of a key; `nil` when it is missing, null, or of another kind.
    func readable<Value: Decodable>(_ key: Key) -> Value? { try? decodeIfPresent(Value.self, forKey: key) }
}

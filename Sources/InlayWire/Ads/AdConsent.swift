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
    /// Whether ad tracking is limited; the advertising identifier is then never sent.
    public var lmt: Bool?
    /// The answer to the system's tracking question: 0 not asked, 1 restricted, 2 denied, 3 allowed.
    public var att: Int?
    /// Whether a value of a received request had another type. The consent then counts as a refusal, because the
    /// unreadable value may have been one. Never sent.
    @_spi(Inlay) public var isUnreadable = false

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
    private enum CodingKeys: String, CodingKey { case gdprApplies, tcf, gpp, gppSids, coppa, lmt, att }

    /// Never throws; a value of another type sets `isUnreadable`.
    public init(from decoder: any Decoder) throws {
        self.init()
        guard let values = try? decoder.container(keyedBy: CodingKeys.self) else {
            isUnreadable = true
            return
        }
        gdprApplies = read(.gdprApplies, values)
        tcf = read(.tcf, values)
        gpp = read(.gpp, values)
        gppSids = read(.gppSids, values)
        coppa = read(.coppa, values)
        lmt = read(.lmt, values)
        att = read(.att, values)
    }

    private mutating func read<Value: Decodable>(
        _ key: CodingKeys, _ values: KeyedDecodingContainer<CodingKeys>
    ) -> Value? {
        do {
            return try values.decodeIfPresent(Value.self, forKey: key)
        } catch {
            isUnreadable = true
            return nil
        }
    }
}

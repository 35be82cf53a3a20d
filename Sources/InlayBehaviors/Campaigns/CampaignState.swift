@_spi(Inlay) import InlayWire

/// The current campaign, which events belong to, and the campaign before it.
struct CampaignState: Codable, Hashable, Sendable {
    private var name: String?
    private var expires: Timestamp?
    private var previous: String?

    /// Returns the campaign at a time of the server's clock.
    func current(at moment: Timestamp) -> String? {
        guard let name, let expires, moment < expires else { return nil }
        return name
    }

    /// Returns the campaign that ended or was replaced last.
    func last(at moment: Timestamp) -> String? {
        guard let name, current(at: moment) == nil else { return previous }
        return name
    }

    /// Begins the campaign that the parameters name, and returns whether anything changed.
    ///
    /// A campaign whose end is in the past does not begin and does not replace the current one.
    mutating func begin(
        _ parameters: [String: String], at moment: Timestamp, _ settings: BehaviorSettings
    ) -> Bool {
        guard let name = parameters[settings.parameters.currentCampaign], !name.isEmpty else { return false }
        let end = Self.end(parameters, at: moment, settings)
        guard end > moment else { return false }
        if let before = self.name, before != name { previous = before }
        self.name = name
        expires = end
        return true
    }

    /// Returns the end by the first parameter that can be read; unreadable ones are ignored.
    private static func end(
        _ parameters: [String: String], at moment: Timestamp, _ settings: BehaviorSettings
    ) -> Timestamp {
        let names = settings.parameters
        if let seconds = parameters[names.campaignEndTimeStamp].flatMap({ Int64($0) }) {
            return Timestamp(seconds: Double(seconds))
        }
        // A duration in the parameter for a date counts from now.
        if let end = parameters[names.campaignExpiresAt].flatMap({ Expiration($0) }) {
            return end.date(from: moment)
        }
        if let end = parameters[names.campaignValidFor].flatMap({ Expiration($0) }) {
            return end.date(from: moment)
        }
        return moment + settings.campaignExpiration
    }
}

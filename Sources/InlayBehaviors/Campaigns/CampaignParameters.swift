@_spi(Inlay) import InlayWire

/// A search for the parameters of campaigns in a notification's payload.
enum CampaignParameters {
    /// The maximum depth of the search.
    private static let maximumDepth = 32

    /// Returns the values of these names at any depth; of several values of one name, the one nearest to the top.
    static func find(_ names: Set<String>, in payload: [String: JSONValue]) -> [String: String] {
        var found: [String: String] = [:]
        var level: [JSONValue] = [.object(payload)]
        for _ in 0..<maximumDepth where !level.isEmpty && found.count < names.count {
            var next: [JSONValue] = []
            for value in level {
                if case .array(let elements) = value { next += elements }
                guard case .object(let members) = value else { continue }
                // Sorted, so that equal payloads always give the same result.
                for (name, member) in members.sorted(by: { $0.key < $1.key }) {
                    if names.contains(name), found[name] == nil, let text = text(member) {
                        found[name] = text
                    }
                    next.append(member)
                }
            }
            level = next
        }
        return found
    }

    private static func text(_ value: JSONValue) -> String? {
        switch value {
        case .string(let text): text
        case .integer(let number): String(number)
        case .number(let number): number.decimalText
        default: nil
        }
    }
}

extension BehaviorSettings.ParameterNames {
    /// The names of all parameters of a campaign.
    var ofCampaigns: Set<String> {
        [currentCampaign, campaignEndTimeStamp, campaignExpiresAt, campaignValidFor]
    }
}

@_spi(Inlay) import InlayWire

/// Finds the parameters that mean something, at any depth of a notification's payload.
enum CampaignParameters {
    /// A payload nested deeper than this holds nothing of ours.
    private static let deepest = 32

    /// The values of these names. The shallowest one of a name counts.
    static func find(_ names: Set<String>, in payload: [String: JSONValue]) -> [String: String] {
        var found: [String: String] = [:]
        var level: [JSONValue] = [.object(payload)]
        for _ in 0..<deepest where !level.isEmpty && found.count < names.count {
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
    /// The names that say something of a campaign.
    var ofCampaigns: Set<String> {
        [currentCampaign, campaignEndTimeStamp, campaignExpiresAt, campaignValidFor]
    }
}

@_spi(Inlay) import InlayWire

/// A selection of users of an environment.
///
/// On the wire: `{"users": ["a", "b"]}`, `{"all": true}`, `{"profile": {"field": "city", "value": "Kiel"}}`
/// or `{"segment": "seg_x"}`.
package enum UserTarget: Hashable, Sendable {
    /// These users; unknown ones are created.
    case users([UserID])
    /// Everyone who is known now.
    case all
    /// The users with this text in this profile field.
    case profile(field: String, value: String)
    /// The users who are in this segment soon after the send was accepted.
    case segment(SegmentID)
}

extension UserTarget: Codable {
    private enum Key: String, CodingKey { case users, all, profile, segment }
    private struct Profile: Codable { let field: String, value: String }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        if let users = try values.decodeIfPresent([UserID].self, forKey: .users) {
            self = .users(users)
        } else if let profile = try values.decodeIfPresent(Profile.self, forKey: .profile) {
            self = .profile(field: profile.field, value: profile.value)
        } else if let segment = try values.decodeIfPresent(SegmentID.self, forKey: .segment) {
            self = .segment(segment)
        } else if try values.decodeIfPresent(Bool.self, forKey: .all) == true {
            self = .all
        } else {
            throw DecodingError.dataCorruptedError(
                forKey: .users, in: values, debugDescription: "One of users, all, profile, segment is needed."
            )
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        switch self {
        case .users(let users): try values.encode(users, forKey: .users)
        case .all: try values.encode(true, forKey: .all)
        case .profile(let field, let value):
            try values.encode(Profile(field: field, value: value), forKey: .profile)
        case .segment(let id): try values.encode(id, forKey: .segment)
        }
    }
}

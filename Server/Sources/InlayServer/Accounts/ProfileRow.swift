import Foundation
import InlaySQL
import InlayWire

/// A profile as its row holds it: the fixed fields in columns, the others in one JSON text.
struct ProfileRow {
    private let fixed: [SQLValue]
    private let fields: String

    init(_ profile: UserProfile) throws {
        fixed = UserProfile.fixedFields.map { SQLValue(profile.values[$0]?.text) }
        let custom = profile.values.filter { !UserProfile.fixedFields.contains($0.key) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        fields = String(decoding: try encoder.encode(custom), as: UTF8.self)
    }

    func arguments(_ environmentID: String, _ id: String, _ moment: Int64) -> [SQLValue] {
        [.text(environmentID), .text(id)] + fixed + [.text(fields), .integer(moment), .integer(moment)]
    }
}

extension User {
    init(row: SQLRow) throws {
        var values = try JSONDecoder().decode([String: UserField].self, from: Data(row.text("fields").utf8))
        for field in UserProfile.fixedFields {
            values[field] = try row.optionalText(field).map(UserField.text)
        }
        self.init(
            id: try row.text("id"), profile: UserProfile(values),
            createdAt: Timestamp(microseconds: try row.int64("created_at")),
            updatedAt: Timestamp(microseconds: try row.int64("updated_at")),
            lastSeenAt: try row.optionalInt64("last_seen_at").map(Timestamp.init(microseconds:)))
    }
}

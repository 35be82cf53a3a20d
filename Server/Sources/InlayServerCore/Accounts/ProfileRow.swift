import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire

/// A profile as its row holds it: the fixed fields in columns, the others in one JSON text.
struct ProfileRow {
    private let environmentID: EnvironmentID
    private let id: UserID
    private let moment: Int64
    private let fixed: [String: String]
    private let fields: String

    init(
        _ profile: UserProfile, of id: UserID, _ environmentID: EnvironmentID, at moment: Int64
    ) throws {
        (self.environmentID, self.id, self.moment) = (environmentID, id, moment)
        fixed = profile.values.filter { UserProfile.fixedFields.contains($0.key) }.mapValues(\.text)
        let custom = profile.values.filter { !UserProfile.fixedFields.contains($0.key) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        fields = String(decoding: try encoder.encode(custom), as: UTF8.self)
    }

    /// A row that exists keeps the moment at which it was added.
    static let columns = RecordColumns<ProfileRow>(
        of: "users",
        onConflict: .update(
            key: ["environment_id", "id"], columns: UserProfile.fixedFields + ["fields", "updated_at"]),
        keyColumns + fixedColumns + otherColumns)

    private static let keyColumns: [RecordColumn<ProfileRow>] = [
        RecordColumn("environment_id") { .id($0.environmentID) },
        RecordColumn("id") { .id($0.id) },
    ]

    private static let fixedColumns: [RecordColumn<ProfileRow>] = UserProfile.fixedFields.map { field in
        RecordColumn(field) { SQLValue($0.fixed[field]) }
    }

    private static let otherColumns: [RecordColumn<ProfileRow>] = [
        RecordColumn("fields") { .text($0.fields) },
        RecordColumn("created_at") { .integer($0.moment) },
        RecordColumn("updated_at") { .integer($0.moment) },
    ]
}

extension User {
    init(row: SQLRow) throws {
        var values = try JSONDecoder().decode([String: UserField].self, from: Data(row.text("fields").utf8))
        for field in UserProfile.fixedFields {
            values[field] = try row.optionalText(field).map(UserField.text)
        }
        self.init(
            id: try row.id("id"), profile: UserProfile(values),
            createdAt: Timestamp(microseconds: try row.int64("created_at")),
            updatedAt: Timestamp(microseconds: try row.int64("updated_at")),
            lastSeenAt: try row.optionalInt64("last_seen_at").map(Timestamp.init(microseconds:)))
    }
}

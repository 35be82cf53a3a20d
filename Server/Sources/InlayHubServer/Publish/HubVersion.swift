@_spi(Inlay) package import InlayWire

/// One published version of a source, as its history shows it.
package struct HubVersion: Hashable, Sendable, Identifiable {
    /// The content of a version, and its cost for readers.
    package struct Summary: Codable, Hashable, Sendable {
        /// The maximum number of warnings that the history keeps.
        static let maximumWarnings = 100

        /// The note of its publisher.
        package var note: String?
        package var hubs: Int
        package var channels: Int
        package var articles: Int
        package var files: Int
        package var bytes: Int
        /// Files and bytes that the version before did not have.
        package var newFiles: Int
        package var newBytes: Int
        /// The released revision of each item, by reference.
        package var revisions: [String: Int64]
        package var policyVersion: Int64
        /// Equal where readers get equal content.
        package var fingerprint: String
        /// The parts of texts that are not on their pages; `nil` in versions of before, and where the content stayed.
        package var warnings: [HubFaults.Item]?
    }

    /// From 1.
    package let version: Int64
    /// The version in which the content changed last; earlier than `version` when only the policy changed.
    package let contentVersion: Int64
    package let summary: Summary
    /// An operator's login, a secret key's id, `command line` or `schedule`.
    package let publishedBy: String
    package let publishedAt: Timestamp

    package var id: Int64 { version }
}

/// The result of a publish.
package struct HubPublication: Codable, Hashable, Sendable {
    /// The version that devices get now.
    package var version: Int64
    /// False when there was nothing to publish.
    package var isNew: Bool
    /// Files and bytes that devices with the version before have to fetch.
    package var newFiles: Int
    package var newBytes: Int
    /// The parts of texts that are not on their pages.
    package var warnings: [HubFaults.Item]

    init(version: Int64, isNew: Bool, newFiles: Int, newBytes: Int, warnings: [HubFaults.Item]) {
        self.version = version
        self.isNew = isNew
        self.newFiles = newFiles
        self.newBytes = newBytes
        self.warnings = warnings
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        version = try values.decode(Int64.self, forKey: .version)
        isNew = try values.decode(Bool.self, forKey: .isNew)
        newFiles = try values.decode(Int.self, forKey: .newFiles)
        newBytes = try values.decode(Int.self, forKey: .newBytes)
        // Servers of before send none.
        warnings = try values.decodeIfPresent([HubFaults.Item].self, forKey: .warnings) ?? []
    }
}

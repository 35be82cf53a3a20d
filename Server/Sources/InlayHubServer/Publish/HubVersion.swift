@_spi(Inlay) package import InlayWire

/// A published version in the history of a source.
package struct HubVersion: Hashable, Sendable, Identifiable {
    /// A summary of the content of a version, and of the bytes that devices fetch for it.
    package struct Summary: Codable, Hashable, Sendable {
        /// The maximum number of warnings that the history stores.
        static let maximumWarnings = 100

        /// The note of its publisher.
        package var note: String?
        package var hubs: Int
        package var channels: Int
        package var articles: Int
        package var files: Int
        package var bytes: Int
        /// The number of files that the version before did not have.
        package var newFiles: Int
        /// The size of these files, in bytes.
        package var newBytes: Int
        /// The released revision of each item, by reference.
        package var revisions: [String: Int64]
        package var policyVersion: Int64
        /// A hash of the content; equal for versions with equal content.
        package var fingerprint: String
        /// The warnings about parts of texts that pages do not show. `nil` in versions of older releases, and where the
        /// content did not change.
        package var warnings: [HubFaults.Item]?
    }

    /// The number, from 1; after a restore at least the restore's time in seconds since 1970.
    package let version: Int64
    /// The version in which the content changed last; earlier than `version` when only the policy changed.
    package let contentVersion: Int64
    package let summary: Summary
    /// An operator's login, a secret key's id, `command line`, `schedule` or `restore`.
    package let publishedBy: String
    package let publishedAt: Timestamp

    package var id: Int64 { version }
}

/// The result of a publish.
package struct HubPublication: Codable, Hashable, Sendable {
    /// The version that devices get now.
    package var version: Int64
    /// Whether a new version was published; `false` when nothing had changed.
    package var isNew: Bool
    /// The number of files that devices with the version before must fetch.
    package var newFiles: Int
    /// The size of these files, in bytes.
    package var newBytes: Int
    /// The warnings about parts of texts that pages do not show.
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
        // Servers of older releases send no warnings.
        warnings = try values.decodeIfPresent([HubFaults.Item].self, forKey: .warnings) ?? []
    }
}

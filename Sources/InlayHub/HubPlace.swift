import Foundation
import InlayCore

/// Where the hub keeps its files in the session's folder.
struct HubPlace: Sendable {
    private let stem: URL

    init(_ configuration: SessionConfiguration) {
        let device = UserIdentity.deviceStem(environmentID: configuration.environmentID)
        stem = configuration.folder.appendingPathComponent("hub-" + device.dropFirst("device-".count))
    }

    /// Users, tags, and what outlives versions.
    var database: URL { stem.appendingPathExtension("sqlite") }

    /// The versions of a source. Its id is safe as a name.
    func content(of source: String) -> URL { stem.appendingPathComponent(source) }
}

import Foundation
import InlayCore

/// The locations of the hub's files in the session's folder.
struct HubFolders: Sendable {
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

import Foundation
import InlayCore

/// The locations of the hub's files in the session's folder.
struct HubFolders: Sendable {
    private let stem: URL

    init(_ configuration: SessionConfiguration) {
        let device = UserIdentity.deviceStem(environmentID: configuration.environmentID)
        stem = configuration.folder.appendingPathComponent("hub-" + device.dropFirst("device-".count))
    }

    /// The database of users, tags and the values that outlive versions.
    var database: URL { stem.appendingPathExtension("sqlite") }

    /// Returns the folder of a source's versions. The source's id is safe as a file name.
    func content(of source: String) -> URL { stem.appendingPathComponent(source) }
}

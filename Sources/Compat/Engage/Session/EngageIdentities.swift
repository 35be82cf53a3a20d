import Foundation
internal import InlayBehaviors
internal import InlayCore

/// The user's identities, readable and settable at once and without a session, as EngageSDK documents.
///
/// A small file of its own, written whole at every change: what was set is there after a restart.
final class EngageIdentities: Sendable {
    private struct Stored: Codable, Sendable {
        var primaryUserID = ""
        var anonymousID = ""
        var recipientID = ""
    }

    private let file: URL
    private let stored: Locked<Stored>

    init(folder: URL) {
        file = folder.appendingPathComponent("engage-identity.json")
        let data = try? Data(contentsOf: file)
        stored = Locked(data.flatMap { try? JSONDecoder().decode(Stored.self, from: $0) } ?? Stored())
    }

    /// The identity that events carry. They name the primary user as their contact, else the anonymous.
    var identity: BehaviorIdentity {
        let stored = stored.withLock { $0 }
        return BehaviorIdentity(
            primaryUserID: stored.primaryUserID, anonymousID: stored.anonymousID,
            recipientID: stored.recipientID,
            contactID: stored.primaryUserID.isEmpty ? stored.anonymousID : stored.primaryUserID)
    }

    func set(_ identity: BehaviorIdentity) {
        change {
            $0 = Stored(
                primaryUserID: identity.primaryUserID, anonymousID: identity.anonymousID,
                recipientID: identity.recipientID)
        }
    }

    func setPrimaryUserID(_ id: String) { change { $0.primaryUserID = id } }

    func setAnonymousID(_ id: String) { change { $0.anonymousID = id } }

    func setRecipientID(_ id: String) { change { $0.recipientID = id } }

    private func change(_ body: (inout Stored) -> Void) {
        // Written under the lock: of two changes at once the later one must be the one in the file.
        stored.withLock { stored in
            body(&stored)
            let folder = file.deletingLastPathComponent()
            // As the session makes it: other accounts of the machine have no business in it.
            try? FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            guard let data = try? JSONEncoder().encode(stored) else { return }
            try? data.write(to: file, options: .atomic)
        }
    }
}

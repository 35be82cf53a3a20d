import Foundation
internal import InlayBehaviors
internal import InlayCore

/// The user's identities, which can be read and set synchronously and without a session, as EngageSDK documents.
///
/// Every change writes them to a file of their own, so that they are available after a restart.
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

    /// The identity that events carry. Its contact is the primary user, or the anonymous user when there is none.
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
        // Written while the lock is held, so that of two concurrent changes the file has the later one.
        stored.withLock { stored in
            body(&stored)
            let folder = file.deletingLastPathComponent()
            // The session creates it in the same way: other accounts of the machine have no access.
            try? FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            guard let data = try? JSONEncoder().encode(stored) else { return }
            try? data.write(to: file, options: .atomic)
        }
    }
}

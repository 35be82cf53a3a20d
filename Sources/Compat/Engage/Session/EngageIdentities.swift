import Foundation
internal import InlayBehaviors
internal import InlayCore

/// Who the user is, readable and settable at once and without a session, as the document has it.
///
/// A small file of its own, written whole at every change: what was set is there after a restart.
final class EngageIdentities: Sendable {
    private struct Kept: Codable, Sendable {
        var primaryUserID = ""
        var anonymousID = ""
        var recipientID = ""
    }

    private let file: URL
    private let kept: Locked<Kept>

    init(folder: URL) {
        file = folder.appendingPathComponent("engage-identity.json")
        let data = try? Data(contentsOf: file)
        kept = Locked(data.flatMap { try? JSONDecoder().decode(Kept.self, from: $0) } ?? Kept())
    }

    /// The identity that events carry. They name the primary user as their contact, else the anonymous.
    var identity: BehaviorIdentity {
        let kept = kept.withLock { $0 }
        return BehaviorIdentity(
            primaryUserID: kept.primaryUserID, anonymousID: kept.anonymousID, recipientID: kept.recipientID,
            contactID: kept.primaryUserID.isEmpty ? kept.anonymousID : kept.primaryUserID)
    }

    func set(_ identity: BehaviorIdentity) {
        change {
            $0 = Kept(
                primaryUserID: identity.primaryUserID, anonymousID: identity.anonymousID,
                recipientID: identity.recipientID)
        }
    }

    func setPrimaryUserID(_ id: String) { change { $0.primaryUserID = id } }

    func setAnonymousID(_ id: String) { change { $0.anonymousID = id } }

    func setRecipientID(_ id: String) { change { $0.recipientID = id } }

    private func change(_ body: (inout Kept) -> Void) {
        // Written under the lock: of two changes at once the later one must be the one in the file.
        kept.withLock { kept in
            body(&kept)
            let folder = file.deletingLastPathComponent()
            // As the session makes it: other accounts of the machine have no business in it.
            try? FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            guard let data = try? JSONEncoder().encode(kept) else { return }
            try? data.write(to: file, options: .atomic)
        }
    }
}

public import Foundation
internal import InlayXMLAPI
internal import InlayBehaviors
internal import InlayCore

/// EngageSDK's identification of the user as a contact.
///
/// Of the two blocks of a call one runs, once, on the main queue.
public final class MobileIdentityManager: NSObject, Sendable {
    /// The block that runs with the contact's id and the id that this app gave the user.
    public typealias Success = @MainActor @Sendable (MobileIdentity) -> Void
    /// The block that runs when a request was refused or had no response; the call can be repeated safely.
    public typealias Failure = @MainActor @Sendable (any Error) -> Void

    private static let shared = MobileIdentityManager()

    /// Returns the shared object.
    public static func sharedInstance() -> MobileIdentityManager { shared }

    /// Creates an id of the user in this app, and a contact with this id in the configured list, unless they exist.
    public func setupRecipient(success: Success? = nil, failure: Failure? = nil) {
        run(success, failure) { _ = try await $0.identity.setUp() }
    }

    /// Identifies the user by columns of the database, and merges two contacts of the user into one.
    public func checkIdentity(
        forIds columns: [String: String], success: Success? = nil, failure: Failure? = nil
    ) {
        let fields = columns.sorted { $0.key < $1.key }.map { XMLAPIRequest.Field($0.key, $0.value) }
        run(success, failure) { _ = try await $0.identity.identify(fields) }
    }

    private func run(
        _ success: Success?, _ failure: Failure?,
        _ body: @escaping @Sendable (EngageEngine) async throws -> Void
    ) {
        EngageRuntime.shared.perform { engine in
            // Ends with the last response, a failure, or the session.
            engine.session.work.start {
                do {
                    try await body(engine)
                    let identity = MobileIdentity(
                        recipientId: EngageConfig.recipientId(), mobileUserId: EngageConfig.primaryUserId())
                    await MainActor.run { success?(identity) }
                } catch {
                    await MainActor.run { failure?(error) }
                }
            }
        } failed: { error in
            await MainActor.run { failure?(error) }
        }
    }
}

/// The ids of the user's contact.
public struct MobileIdentity: Hashable, Sendable {
    /// The contact's id in the database.
    public let recipientId: String
    /// The id that this app gave the user.
    public let mobileUserId: String
}

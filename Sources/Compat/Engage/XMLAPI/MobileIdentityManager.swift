public import Foundation
internal import InlayXMLAPI
internal import InlayBehaviors
internal import InlayCore

/// EngageSDK's identification of the user as a contact.
///
/// Blocks run on the main queue, one of the two, once.
public final class MobileIdentityManager: NSObject, Sendable {
    /// Runs with the contact's id and the id that this app gave the user.
    public typealias Success = @MainActor @Sendable (MobileIdentity) -> Void
    /// Runs when a step was refused or brought no answer; asking again is safe.
    public typealias Failure = @MainActor @Sendable (any Error) -> Void

    private static let shared = MobileIdentityManager()

    /// The one object.
    public static func sharedInstance() -> MobileIdentityManager { shared }

    /// Makes sure that the app has an id and that a contact of the configured list carries it.
    public func setupRecipient(success: Success? = nil, failure: Failure? = nil) {
        run(success, failure) { _ = try await $0.identity.setUp() }
    }

    /// Says who the user is by columns of the database, and merges the contacts when there are two.
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
            // Ends with the last answer, a failure, or the session.
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

/// The contact that the user is.
public struct MobileIdentity: Hashable, Sendable {
    /// The contact's id in the database.
    public let recipientId: String
    /// The id that this app gave the user.
    public let mobileUserId: String
}

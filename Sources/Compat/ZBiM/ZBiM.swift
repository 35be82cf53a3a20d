internal import Foundation
internal import InlayHub

/// ZBiM's entry point: static calls to a hub of which the process has one.
///
/// Errors are `NSError`s of `ZBiMErrorDomain`. Blocks run, and notifications are posted, on the main thread. New code
/// should use `InlaySession` and its `hub`.
public enum ZBiM {
    static var runtime: ZBiMRuntime { .shared }

    /// Starts the SDK with the app's `zbimconfig.plist` and `pubkey.der`; returns at once. A second call does nothing.
    public static func start() { runtime.start() }

    /// Checks for newer content now.
    public static func refreshContentSource() {
        // Ends with the update.
        Task { _ = try? await runtime.opened()?.hub.update() }
    }

    // MARK: Users

    /// Returns a new random id; neither creates nor activates a user.
    public static func generateDefaultUserId() -> String { HubUsers.makeID() }

    /// Creates a user; `nil` means no tags.
    public static func createUser(_ userId: String?, withTags tags: [String]?) throws {
        try documented { users throws(HubError) in try users.create(userId ?? "", tags: tags ?? []) }
    }

    /// Returns the ids of all users; empty before `start`.
    public static func getAllUsers() -> [String] { runtime.read(\.users).flatMap { try? $0.all } ?? [] }

    /// Returns the id of the active user; `nil` before a user was set, and before `start`.
    public static func activeUser() -> String? { runtime.read(\.users).flatMap { try? $0.active } }

    /// Sets the active user, who must have been created before.
    public static func setActiveUser(_ userId: String?) throws {
        try documented { users throws(HubError) in try users.setActive(userId ?? "") }
    }

    /// Returns all tags of a user: those that the app has set and those that the user has earned by reading.
    public static func tags(forUser userId: String?) throws -> [String] {
        try documented { users throws(HubError) in try users.tags(of: userId ?? "") }
    }

    private static func documented<Value>(_ body: (HubUsers) throws(HubError) -> Value) throws -> Value {
        guard let users = runtime.read(\.users) else { throw HubError.notStarted.documented }
        do throws(HubError) { return try body(users) } catch { throw error.documented }
    }

    // MARK: State

    /// Whether metadata or content is being fetched.
    public static func isDownloadingContent() -> Bool { runtime.read(\.flags.isDownloading) }

    /// Whether a hub is on screen, also while it shows a status or an error.
    public static func isDisplayingContentHub() -> Bool { runtime.read(\.flags.isDisplaying) }

    /// Whether verified content can be shown.
    public static func isReady() -> Bool { runtime.read(\.flags.isReady) }

    /// Whether the publisher has disabled the SDK.
    public static func isDisabled() -> Bool { runtime.read(\.flags.isDisabled) }

    // MARK: Additions to ZBiM's API

    /// Sets the provider of the app's signed token for metrics, if the server requires one. Not part of the documented
    /// API.
    public static func setTokenProvider(_ provider: (@Sendable () async -> String?)?) {
        runtime.change { $0.tokenProvider = provider }
    }
}

internal import Foundation
internal import InlayHub

/// ZBiM's entry point: one hub for the whole process, behind static calls.
///
/// Errors are `NSError`s of `ZBiMErrorDomain`; blocks and notifications come on the main thread. New code should
/// use `InlaySession` and its `hub`.
public enum ZBiM {
    static var host: ZBiMRuntime { .shared }

    /// Starts the SDK from `zbimconfig.plist` and `pubkey.der` of the app; returns at once. Once per session:
    /// a second call changes nothing.
    public static func start() { host.start() }

    /// Looks for newer content now.
    public static func refreshContentSource() {
        // Ends with the update.
        Task { _ = try? await host.opened()?.hub.update() }
    }

    // MARK: Users

    /// A new random id; neither creates nor activates a user.
    public static func generateDefaultUserId() -> String { HubUsers.makeID() }

    /// Creates a user; `nil` tags are none.
    public static func createUser(_ userId: String?, withTags tags: [String]?) throws {
        try documented { users throws(HubError) in try users.create(userId ?? "", tags: tags ?? []) }
    }

    /// The ids of all users; empty before `start`.
    public static func getAllUsers() -> [String] { host.read(\.users).flatMap { try? $0.all } ?? [] }

    /// The active user; `nil` before one was set, and before `start`.
    public static func activeUser() -> String? { host.read(\.users).flatMap { try? $0.active } }

    /// Makes a created user the active one.
    public static func setActiveUser(_ userId: String?) throws {
        try documented { users throws(HubError) in try users.setActive(userId ?? "") }
    }

    /// Every tag of a user, given and earned.
    public static func tags(forUser userId: String?) throws -> [String] {
        try documented { users throws(HubError) in try users.tags(of: userId ?? "") }
    }

    private static func documented<Value>(_ body: (HubUsers) throws(HubError) -> Value) throws -> Value {
        guard let users = host.read(\.users) else { throw HubError.notStarted.documented }
        do throws(HubError) { return try body(users) } catch { throw error.documented }
    }

    // MARK: State

    /// Whether metadata or content is being fetched.
    public static func isDownloadingContent() -> Bool { host.read(\.flags.isDownloading) }

    /// Whether a hub is on screen, whatever it shows.
    public static func isDisplayingContentHub() -> Bool { host.read(\.flags.isDisplaying) }

    /// Whether verified content can be shown.
    public static func isReady() -> Bool { host.read(\.flags.isReady) }

    /// Whether the SDK was shut down by the publisher.
    public static func isDisabled() -> Bool { host.read(\.flags.isDisabled) }

    // MARK: Beyond ZBiM's API

    /// Supplies the app's signed token for metrics, where the server wants one. Not part of the documented API.
    public static func setTokenProvider(_ provider: (@Sendable () async -> String?)?) {
        host.change { $0.tokenProvider = provider }
    }
}

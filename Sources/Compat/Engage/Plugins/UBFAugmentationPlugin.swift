/// EngageSDK's plug-in, which adds values to events that only the device or another service knows.
///
/// The methods are called on the main actor. Register a plug-in before the SDK starts, see `UBFManager.register`.
@MainActor public protocol UBFAugmentationPlugin: AnyObject, Sendable {
    /// Receives the app's context, before any other call.
    func setContext(_ context: EngageContext)

    /// Whether the plug-in's data are available. Called repeatedly until it returns `true`, or until the time limit of
    /// all plug-ins together.
    func isSupplementalDataReady() -> Bool

    /// Whether the plug-ins after this one wait for it. Called once, when the SDK starts.
    func processSyncronously() -> Bool

    /// Adds values to an event and returns the event to post.
    func process(_ ubf: UBF) -> UBF
}

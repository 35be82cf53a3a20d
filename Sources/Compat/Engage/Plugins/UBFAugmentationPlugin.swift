/// EngageSDK's plug-in: it adds values to events that only the device or another service knows.
///
/// Called on the main actor. Register it before the SDK starts, see `UBFManager.register`.
@MainActor public protocol UBFAugmentationPlugin: AnyObject, Sendable {
    /// Gets the app's context, before anything else.
    func setContext(_ context: EngageContext)

    /// Whether the data are there; asked again until they are, or until the one time-out for all.
    func isSupplementalDataReady() -> Bool

    /// Whether the plug-ins after this one wait for it. Asked once, when the SDK starts.
    func processSyncronously() -> Bool

    /// Adds to an event and returns it; what is returned is posted.
    func process(_ ubf: UBF) -> UBF
}

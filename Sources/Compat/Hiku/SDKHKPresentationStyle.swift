/// The presentation style of the screens.
public enum SDKHKPresentationStyle: Int, Sendable, CaseIterable {
    /// Over the app's screen; the default.
    case modal
    /// Onto the stack of the app's navigation controller; modal where there is none.
    case push
}

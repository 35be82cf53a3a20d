/// The presentation style of the screens.
public enum SDKHKPresentationStyle: Int, Sendable, CaseIterable {
    /// The screens are presented over the app's screen; the default.
    case modal
    /// The screens are pushed onto the app's navigation controller; without a navigation controller, like `modal`.
    case push
}

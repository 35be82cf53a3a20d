@_spi(Inlay) public import InlayWire

/// An input of a person on a screen. An input that the screen does not offer is ignored.
@_spi(Inlay) public enum DeviceSetupInput: Hashable, Sendable {
    /// Starts at the first screen.
    case start
    /// Goes on from a screen that asks for nothing.
    case next
    /// Goes to the screen before.
    case back
    /// Ends the set-up.
    case cancel
    /// The mail address.
    case mail(String)
    /// The code from the mail.
    case code(String)
    /// Has the mail sent once more.
    case sendAgain
    /// Prefers the password to the code, or the code to the password.
    case usePassword, useCode
    /// The password.
    case password(String)
    /// Forgot the password.
    case forgotPassword
    /// Forgot which address it was.
    case forgotAddress
    /// Would rather set another password on the server's page.
    case recoverPassword
    /// The code from the mail with a new password.
    case newPassword(code: String, password: String)
    /// The network.
    case network(name: String, password: String)
    /// Lets the light start; only once the countdown is over.
    case startLight
    /// The light stopped by itself: the page went out of sight.
    case lightStopped
    /// The device shows that it has read the light.
    case lightWasRead
    /// Another way than light.
    case takePicture, takeTyped
    /// Back to the light from another way.
    case takeLight
    /// The reason that the device's lamp shows.
    case lampReported(DeviceSetupFailure)
    /// Tries again after a failure.
    case tryAgain
    /// Changes the network after a failure.
    case changeNetwork
    /// Leaves the tips before their end.
    case skipTips
}

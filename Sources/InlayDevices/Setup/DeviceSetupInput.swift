@_spi(Inlay) public import InlayWire

/// An input of the user on a screen. An input that the screen does not offer is ignored.
@_spi(Inlay) public enum DeviceSetupInput: Hashable, Sendable {
    /// Starts the set-up with its first screen.
    case start
    /// Continues from a screen without fields.
    case next
    /// Goes to the previous screen.
    case back
    /// Ends the set-up.
    case cancel
    /// The mail address.
    case mail(String)
    /// The code from the mail.
    case code(String)
    /// Requests the mail once more.
    case sendAgain
    /// Chooses the password in place of the code, or the code in place of the password.
    case usePassword, useCode
    /// The password.
    case password(String)
    /// Starts to reset a forgotten password.
    case forgotPassword
    /// Requests the server's page for users who forgot which address they used.
    case forgotAddress
    /// Requests the server's page for setting another password.
    case recoverPassword
    /// The code from the mail with a new password.
    case newPassword(code: String, password: String)
    /// The network.
    case network(name: String, password: String)
    /// Starts the light; ignored until the countdown is over.
    case startLight
    /// The light stopped by itself, because the page was hidden.
    case lightStopped
    /// The user confirms that the device has read the light.
    case lightWasRead
    /// Chooses a picture or a code to type in place of light.
    case usePicture, useTypedCode
    /// Returns to the light.
    case useLight
    /// The failure that the device's lamp shows.
    case lampReported(DeviceSetupFailure)
    /// Starts another attempt after a failure.
    case tryAgain
    /// Changes the network after a failure.
    case changeNetwork
    /// Skips the remaining tips.
    case skipTips
}

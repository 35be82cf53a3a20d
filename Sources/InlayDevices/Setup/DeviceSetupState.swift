@_spi(Inlay) public import InlayWire

/// The state of a set-up, and the content of its screen. Never contains a password.
package struct DeviceSetupState: Hashable, Sendable {
    /// The screens, in the order of a usual set-up.
    public enum Screen: Hashable, Sendable {
        /// Before the start.
        case idle
        /// The app's logo.
        case logo
        /// The user enters the mail address.
        case mail
        /// The user enters the code from the mail.
        case code
        /// The user enters the password.
        case logIn
        /// The user enters the code from the mail and a new password.
        case reset
        /// The server checks whether this app may set up devices; shown only when the check takes long.
        case authorizing
        /// The user enters the network and its password.
        case network
        /// A notice that the square will flash, with a countdown in whole seconds before the user may start it.
        case safety(secondsLeft: Int)
        /// The square flashes.
        case light
        /// A QR code for the device's camera, in place of light.
        case picture
        /// A code that the user types on the device, in place of light.
        case typed
        /// The device has received the data; the app waits until it is paired.
        case waiting
        /// The device belongs to this account; shown only when there are no tips.
        case paired
        /// The set-up failed, with the reason.
        case failed(DeviceSetup.Failure)
        /// One of the tips, counted from 0.
        case tip(Int)
        /// The set-up has ended.
        case done(DeviceSetup.End)
    }

    /// The current screen.
    public internal(set) var screen = Screen.idle
    /// The mail address, as typed or as the account has it.
    public internal(set) var email = ""
    /// The network's name.
    public internal(set) var network = ""
    /// Whether a request to the server is running.
    public internal(set) var isBusy = false
    /// The mistake in the last entry; removed with the next attempt.
    public internal(set) var mistake: DeviceSetupMistake?
    /// The device, once it belongs to this account.
    public internal(set) var device: Device?
    /// Whether the device has connected and waits until the mail address is proven.
    public internal(set) var awaitsAddressProof = false
    /// Whether the data are too long for light and picture, so that only a code to type is possible.
    public internal(set) var isTooLong = false
    /// Whether the mail was just sent once more.
    public internal(set) var wasSentAgain = false
    /// Whether there is a screen to go back to.
    public internal(set) var canGoBack = false

    /// A set-up that has not started.
    public init() {}
}

extension DeviceSetupState.Screen {
    /// Whether a page shows this screen as an update of the other, not as a new screen.
    func isSame(as other: Self) -> Bool {
        if case .safety = self, case .safety = other { return true }
        return self == other
    }
}

extension DeviceSetup {
    /// The end of a set-up.
    public enum End: Hashable, Sendable {
        /// A device was paired; `sawTips` says whether the tips were read to their end.
        case finished(Device, sawTips: Bool)
        /// Only the tips were shown; `sawTips` says whether they were read to their end.
        case tipsOnly(sawTips: Bool)
        /// The user or the app cancelled.
        case cancelled
    }
}

extension DeviceSetup {
    /// The reason why no device was set up.
    public enum Failure: Hashable, Sendable {
        /// The failure that the device or the user reported.
        case device(DeviceSetupFailure)
        /// The app cannot reach the server.
        case connectionLost
        /// The server does not let this app set up devices.
        case applicationRefused
        /// The network, its password and the server's host together are too long for the light; nothing was shown yet.
        /// A code to type, or a network with a shorter name or password, works; the log says what to shorten.
        case tooLong
        /// The server refused for another reason.
        case server

        /// The reason as the server and the device name it.
        public var reason: DeviceSetupFailure {
            switch self {
            case .device(let reason): reason
            case .connectionLost: .noInternet
            case .applicationRefused, .tooLong, .server: .other
            }
        }
    }
}

/// A mistake in an entry.
package enum DeviceSetupMistake: Hashable, Sendable {
    /// The text is no mail address.
    case address
    /// The mail address has characters beyond ASCII, which no account's address may have.
    case addressLetters
    /// The address and the password do not match.
    case password
    /// The code is wrong or has expired.
    case code
    /// The new password is too short or too common; the text is the server's.
    case unfitPassword(String?)
    /// The network's name is empty, or longer than 32 UTF-8 bytes.
    case networkName
    /// The network's password is invalid: it needs 8 to 63 UTF-8 bytes or 64 hexadecimal digits, or none for an open
    /// network.
    case networkPassword
    /// There were too many attempts.
    case tooMany
    /// The server could not be reached.
    case offline
    /// The server refused, or failed.
    case server
    /// The log-in ended; the user must log in again.
    case loggedOut
    /// The light stopped before the device had received everything.
    case lightStopped
}

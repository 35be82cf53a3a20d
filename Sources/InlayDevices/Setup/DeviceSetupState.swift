@_spi(Inlay) public import InlayWire

/// The state of a set-up, and the content of its screen. Never contains a password.
package struct DeviceSetupState: Hashable, Sendable {
    /// The screens, in the order of the usual way.
    public enum Screen: Hashable, Sendable {
        /// Before the start.
        case idle
        /// The app's logo.
        case logo
        /// Asks for the mail address.
        case mail
        /// Asks for the code that was mailed.
        case code
        /// Asks for the password.
        case logIn
        /// Asks for the code from the mail and a new password.
        case reset
        /// Looks whether this app may set up devices; shown only while that takes a while.
        case authorizing
        /// Asks for the network and its password.
        case network
        /// Says what will flash, and counts down before it may; whole seconds left.
        case safety(secondsLeft: Int)
        /// The patch flashes.
        case light
        /// A code for a camera, in place of light.
        case picture
        /// A code to type, in place of light.
        case typed
        /// The device has what it needs; waits for its word.
        case waiting
        /// The device is this account's; shown only when there are no tips.
        case paired
        /// It came to nothing, and why.
        case failed(DeviceSetup.Failure)
        /// One of the tips, counted from 0.
        case tip(Int)
        /// Over.
        case done(DeviceSetup.End)
    }

    /// The current screen.
    public internal(set) var screen = Screen.idle
    /// The mail address, as typed or as it belongs to the account.
    public internal(set) var email = ""
    /// The network's name.
    public internal(set) var network = ""
    /// Whether an answer is waited for.
    public internal(set) var isBusy = false
    /// The mistake in the last entry; removed with the next attempt.
    public internal(set) var mistake: DeviceSetupMistake?
    /// The device, once it is this account's.
    public internal(set) var device: Device?
    /// Whether the device came and waits until the mail address is proven.
    public internal(set) var isHeld = false
    /// Whether neither light nor picture can carry what the device needs, only a code to type.
    public internal(set) var isTooLong = false
    /// Whether a code was just sent once more.
    public internal(set) var wasSentAgain = false
    /// Whether there is a screen to go back to.
    public internal(set) var canGoBack = false

    /// A set-up that has not started.
    public init() {}
}

extension DeviceSetupState.Screen {
    /// Whether a page shows the one as a change of the other, and not as another screen.
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
        /// The tips were all there was to show; `sawTips` says whether they were read to their end.
        case tipsOnly(sawTips: Bool)
        /// The user or the app cancelled.
        case cancelled
    }
}

extension DeviceSetup {
    /// The reason why no device was set up.
    public enum Failure: Hashable, Sendable {
        /// The failure that the device, or the person who looks at it, reported.
        case device(DeviceSetupFailure)
        /// This app itself cannot reach the server.
        case connectionLost
        /// The server does not let this app set up devices.
        case applicationRefused
        /// Network, password and the server's host together do not fit the light; nothing was shown yet. A code to type
        /// or a network with a shorter name or password helps; the log says what to shorten.
        case tooLong
        /// The server refused for another reason.
        case server

        /// The same in the words that all sides share.
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
    /// No mail address.
    case address
    /// A mail address with letters that no account's address may have.
    case addressLetters
    /// Address and password do not belong together.
    case password
    /// The code is wrong or too old.
    case code
    /// The new password is too short or too common, in the server's words.
    case unfitPassword(String?)
    /// No network of this name can be: it is empty, or longer than 32 bytes.
    case networkName
    /// No network has such a password: 8 to 63 characters, or none at all.
    case networkPassword
    /// Too many tries.
    case tooMany
    /// The server could not be reached.
    case offline
    /// The server did not do it.
    case server
    /// The log-in ended; log in again.
    case loggedOut
    /// The light stopped before the device had it all.
    case lightStopped
}

@_spi(Inlay) public import InlayWire

/// The state of a set-up as its views need it. Never contains a password.
@_spi(Inlay) public struct SetupScreen: Hashable, Sendable {
    /// The content of the screen.
    public enum Body: Hashable, Sendable {
        /// The user waits.
        case working
        /// The app's logo.
        case logo
        case mail, code, logIn, reset, network
        /// The notice before the light; whole seconds until the user may start it.
        case safety(secondsLeft: Int)
        /// The flashing square: one level (0, 1 or 2) per symbol, and the speed.
        case light(levels: [UInt8], rates: [Step])
        /// A QR code with this text, for the device's camera.
        case picture(text: String)
        /// A code that the user types on the device.
        case typed(code: String, host: String)
        case waiting
        case paired
        case failed(Failure)
        case tip(Int)
        /// The set-up has ended.
        case closed
    }

    /// A step of the light's speed: a number of symbols per second for a number of seconds.
    public struct Step: Hashable, Sendable {
        /// The symbols per second.
        public var rate: Int
        /// The seconds until the next step.
        public var seconds: Int

        /// Creates a step.
        public init(rate: Int, seconds: Int) {
            self.rate = rate
            self.seconds = seconds
        }
    }

    /// The reason for a failed set-up.
    public enum Failure: Hashable, Sendable {
        case device(DeviceSetupFailure)
        case connectionLost, applicationRefused, tooLong, server
    }

    /// The mistake in the user's entry.
    public enum Mistake: Hashable, Sendable {
        case address, addressLetters, password, code, networkName, networkPassword, tooMany, offline, server,
            loggedOut,
            lightStopped
        /// The server's explanation; `nil` when the server gave none.
        case unfitPassword(String?)
    }

    /// The content of the screen.
    public var body: Body
    /// The number of screens shown so far: a new number is a new screen, the same number an update.
    public var screenNumber: Int
    /// The mail address.
    public var email = ""
    /// The network's name.
    public var network = ""
    /// Networks to choose from.
    public var networks: [String] = []
    /// Whether a request to the server is running.
    public var isBusy = false
    /// The mistake in the user's entry.
    public var mistake: Mistake?
    /// Whether the mail was just sent once more.
    public var wasSentAgain = false
    /// Whether there is a screen to go back to.
    public var canGoBack = false
    /// Whether the device waits until the address is proven.
    public var awaitsAddressProof = false
    /// The name of the device.
    public var device = ""
    /// Whether ways other than light are offered.
    public var allowsOtherWays = true
    /// Whether the data are too long for light and picture, so that only a code to type is possible.
    public var isTooLong = false

    /// Creates a screen.
    public init(_ body: Body, screenNumber: Int = 0) {
        self.body = body
        self.screenNumber = screenNumber
    }
}

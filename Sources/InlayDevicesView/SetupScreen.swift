@_spi(Inlay) public import InlayWire

/// The state of a set-up's surface, as its feature knows it. It never holds a password.
@_spi(Inlay) public struct SetupScreen: Hashable, Sendable {
    /// The content of the screen.
    public enum Body: Hashable, Sendable {
        /// Nothing to do but wait.
        case working
        /// The app's logo.
        case logo
        case mail, code, logIn, reset, network
        /// The notice before the light; whole seconds until it may start.
        case safety(secondsLeft: Int)
        /// The flashing square: one level (0, 1, 2) a symbol, and how fast.
        case light(levels: [UInt8], rates: [Step])
        /// A code for a camera that says this.
        case picture(text: String)
        /// A code to type.
        case typed(code: String, host: String)
        case waiting
        case paired
        case failed(Failure)
        case tip(Int)
        /// Off screen.
        case closed
    }

    /// So many symbols a second, for so many seconds.
    public struct Step: Hashable, Sendable {
        /// Symbols a second.
        public var rate: Int
        /// Seconds until the next step.
        public var seconds: Int

        /// A step of the light's speed.
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

    /// The mistake in what was entered.
    public enum Mistake: Hashable, Sendable {
        case address, addressLetters, password, code, networkName, networkPassword, tooMany, offline, server,
            loggedOut,
            lightStopped
        /// In the server's words, where it has any.
        case unfitPassword(String?)
    }

    /// The content of the screen.
    public var body: Body
    /// Grows with every screen: with it a page distinguishes another screen from a change of the same one.
    public var place: Int
    /// The mail address.
    public var email = ""
    /// The network's name.
    public var network = ""
    /// Networks to choose from.
    public var networks: [String] = []
    /// Whether an answer is waited for.
    public var isBusy = false
    /// The mistake in what was entered.
    public var mistake: Mistake?
    /// Whether the mail was sent once more.
    public var wasSentAgain = false
    /// Whether there is a screen to go back to.
    public var canGoBack = false
    /// Whether the device waits until the address is proven.
    public var isHeld = false
    /// The name of the device.
    public var device = ""
    /// Whether another way than light is offered.
    public var allowsOtherWays = true
    /// Whether a code to type is the only way that can carry what the device needs.
    public var isTooLong = false

    /// A screen.
    public init(_ body: Body, place: Int = 0) {
        self.body = body
        self.place = place
    }
}

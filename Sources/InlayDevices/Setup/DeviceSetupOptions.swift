/// How a set-up goes; the app decides.
public struct DeviceSetupOptions: Sendable {
    /// What comes when an address could not get an account at once.
    public enum AfterMail: Hashable, Sendable {
        /// The code from the mail, with a way to the password.
        case mailCode
        /// The password, with a way to the code.
        case logIn
    }

    /// Whether the app's logo is the first screen; it needs one in the surface's look.
    public var showsLogo = false
    /// What comes when an address could not get an account at once; by default the code from the mail.
    public var afterMail = AfterMail.mailCode
    /// Networks to choose from, besides typing a name: those the app knows.
    public var networks: [String] = []
    /// What the device shall be called; without it the device brings its own name.
    public var deviceName: String?
    /// How many screens of tips follow a set-up; 0 switches them off.
    public var tips = 3
    /// How long the safety notice stays before the light may start; at least 3 s.
    public var countdown = DeviceSetupOptions.shortestCountdown
    /// Whether other ways than light may be taken.
    public var allowsOtherWays = true

    /// The least time that the safety notice stays, in seconds.
    public static let shortestCountdown = 3

    /// The defaults.
    public init() {}
}

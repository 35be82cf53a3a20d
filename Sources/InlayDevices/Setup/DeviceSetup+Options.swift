extension DeviceSetup {
    /// The app's options for a set-up.
    public struct Options: Sendable {
        /// The next step when an address could not get an account at once.
        public enum AfterMail: Hashable, Sendable {
            /// The code from the mail, with a way to the password.
            case mailCode
            /// The password, with a way to the code.
            case logIn
        }

        /// Whether the app's logo is the first screen; it needs one in the surface's look.
        public var showsLogo = false
        /// The next step when an address could not get an account at once; by default the code from the mail.
        public var afterMail = AfterMail.mailCode
        /// Networks to choose from, besides typing a name: those the app knows.
        public var networks: [String] = []
        /// The name for the device; without it the device uses its own.
        public var deviceName: String?
        /// The number of screens of tips after a set-up; 0 disables them.
        public var tips = 3
        /// The time for which the safety notice stays before the light may start; at least 3 s.
        public var countdown = DeviceSetup.Options.minimumCountdown
        /// Whether other ways than light may be taken.
        public var allowsOtherWays = true

        /// The least time that the safety notice stays, in seconds.
        public static let minimumCountdown = 3

        /// The defaults.
        public init() {}
    }
}

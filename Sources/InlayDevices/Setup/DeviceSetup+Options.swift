extension DeviceSetup {
    /// The app's options for a set-up.
    public struct Options: Sendable {
        /// The step after the mail address when no account was opened at once.
        public enum AfterMail: Hashable, Sendable {
            /// The user enters the code from the mail; a link leads to the password.
            case mailCode
            /// The user enters the password; a link leads to the code.
            case logIn
        }

        /// Whether the app's logo is the first screen; the surface needs a `logo` then.
        public var showsLogo = false
        /// The step after the mail address when no account was opened at once; by default the code from the mail.
        public var afterMail = AfterMail.mailCode
        /// The names of networks that the app knows, offered besides a text field.
        public var networks: [String] = []
        /// The name for the device; without it the device uses its own.
        public var deviceName: String?
        /// The number of tips to show after a set-up; 0 shows none.
        public var tips = 3
        /// The seconds for which the safety notice is shown before the light may start; at least 3.
        public var countdown = DeviceSetup.Options.minimumCountdown
        /// Whether a picture and a code to type are offered besides light.
        public var allowsOtherWays = true

        /// The minimum of ``countdown``, in seconds.
        public static let minimumCountdown = 3

        /// The defaults.
        public init() {}
    }
}

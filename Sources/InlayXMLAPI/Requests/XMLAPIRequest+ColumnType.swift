extension XMLAPIRequest {
    /// The type of a contact list's column, by its number on the wire. Unknown numbers are kept.
    public struct ColumnType: RawRepresentable, Codable, Hashable, Sendable {
        public let rawValue: Int

        /// A type by its number.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Any text.
        public static let text = Self(rawValue: 0)
        /// Yes or no.
        public static let yesNo = Self(rawValue: 1)
        /// A number.
        public static let numeric = Self(rawValue: 2)
        /// A day.
        public static let date = Self(rawValue: 3)
        /// A time of day.
        public static let time = Self(rawValue: 4)
        /// A country.
        public static let country = Self(rawValue: 5)
        /// One of several values.
        public static let selectOne = Self(rawValue: 6)
        /// An email address.
        public static let email = Self(rawValue: 7)
        /// A column for segmentation.
        public static let segmenting = Self(rawValue: 8)
        /// A column that the system maintains.
        public static let system = Self(rawValue: 9)
        /// Consent to text messages.
        public static let smsOptIn = Self(rawValue: 13)
        /// The date on which the consent to text messages was withdrawn.
        public static let smsOptedOutDate = Self(rawValue: 14)
        /// The phone number for text messages.
        public static let smsPhone = Self(rawValue: 15)
        /// A phone number.
        public static let phone = Self(rawValue: 16)
        /// A date with a time of day.
        public static let timestamp = Self(rawValue: 17)
        /// An id of another system.
        public static let syncID = Self(rawValue: 19)
        /// Any number of several values.
        public static let multiSelect = Self(rawValue: 20)
    }
}

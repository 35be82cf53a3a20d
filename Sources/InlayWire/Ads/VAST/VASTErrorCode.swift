/// The VAST error code that replaces the macro `[ERRORCODE]` when an ad could not be shown.
@_spi(Inlay) public struct VASTErrorCode: RawRepresentable, Codable, Hashable, Sendable {
    /// The number on the wire.
    public let rawValue: Int

    /// A code by its number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// 100: the document could not be read.
    public static let unreadable = Self(rawValue: 100)
    /// 101: the document can be read, but breaks the rules of VAST.
    public static let invalid = Self(rawValue: 101)
    /// 102: the version of VAST is not supported.
    public static let unknownVersion = Self(rawValue: 102)
    /// 200: an ad of a kind that was not asked for.
    public static let unexpectedKind = Self(rawValue: 200)
    /// 201: another linearity than was asked for.
    public static let unexpectedLinearity = Self(rawValue: 201)
    /// 202: another duration than was asked for.
    public static let unexpectedDuration = Self(rawValue: 202)
    /// 203: another size than was asked for.
    public static let unexpectedSize = Self(rawValue: 203)
    /// 204: a category was required, and the ad has none.
    public static let categoryMissing = Self(rawValue: 204)
    /// 205: the ad's category is one that a wrapper blocks.
    public static let categoryBlocked = Self(rawValue: 205)
    /// 206: the break was too short for the ad.
    public static let breakShortened = Self(rawValue: 206)
    /// 300: a wrapper could not be followed, for a reason that has no code of its own.
    public static let wrapper = Self(rawValue: 300)
    /// 301: the document behind a wrapper did not come in time, or not at all.
    public static let wrapperTimeout = Self(rawValue: 301)
    /// 302: more wrappers than are followed.
    public static let wrapperLimit = Self(rawValue: 302)
    /// 303: behind the wrappers there was no ad.
    public static let noAdBehindWrapper = Self(rawValue: 303)
    /// 304: the ad behind the wrappers was not shown in time.
    public static let displayTimeout = Self(rawValue: 304)
    /// 400: the video could not be played, for a reason that has no code of its own.
    public static let linear = Self(rawValue: 400)
    /// 401: the media file was not found.
    public static let fileNotFound = Self(rawValue: 401)
    /// 402: the media file did not arrive in time.
    public static let fileTimeout = Self(rawValue: 402)
    /// 403: no media file that can be played here.
    public static let noPlayableFile = Self(rawValue: 403)
    /// 405: the media file arrived, but could not be shown.
    public static let fileNotShown = Self(rawValue: 405)
    /// 900: the cause is not known.
    public static let undefined = Self(rawValue: 900)
    /// 901: a VPAID unit, which is a program; Inlay does not run it.
    public static let vpaid = Self(rawValue: 901)
}

/// The reason why a whole document was not read.
@_spi(Inlay) public struct VASTError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The error code for its ad server, if it can be reported.
    public var code: VASTErrorCode
    /// The rule that was broken.
    public var detail: String

    /// Creates an error.
    public init(_ code: VASTErrorCode, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    public var description: String { "VAST \(code.rawValue): \(detail)" }
}

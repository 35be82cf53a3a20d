/// A file of closed captions for a video.
@_spi(Inlay) public struct VASTCaption: Hashable, Sendable {
    /// The address.
    public var address: String
    /// The media type in lower case, for example `text/vtt`; empty when it is not stated.
    public var type: String
    /// The language, BCP 47; `nil` when it is not stated.
    public var language: String?

    /// Creates a caption file.
    public init(address: String, type: String, language: String? = nil) {
        self.address = address
        self.type = type
        self.language = language
    }
}

/// The original file, from which the other files of a video were encoded.
@_spi(Inlay) public struct VASTMezzanine: Hashable, Sendable {
    /// The file, with its address, type and size.
    public var file: VASTMediaFile
    /// The size in bytes; `nil` when it is not stated.
    public var bytes: Int?

    /// Creates a mezzanine file.
    public init(file: VASTMediaFile, bytes: Int? = nil) {
        self.file = file
        self.bytes = bytes
    }
}

/// A file of interactive code for a video.
@_spi(Inlay) public struct VASTInteractiveFile: Hashable, Sendable {
    /// The address.
    public var address: String
    /// The media type in lower case; empty when it is not stated.
    public var type: String
    /// The framework that runs the code, for example `SIMID`.
    public var apiFramework: String?
    /// Whether the code may change the duration of the ad.
    public var variesDuration: Bool

    /// Creates an interactive file.
    public init(
        address: String, type: String, apiFramework: String? = nil, variesDuration: Bool = false
    ) {
        self.address = address
        self.type = type
        self.apiFramework = apiFramework
        self.variesDuration = variesDuration
    }
}

/// A file with what is said in a video, for those who do not hear it.
@_spi(Inlay) public struct VASTCaption: Hashable, Sendable {
    /// The address.
    public var address: String
    /// The media type in lower case, for example `text/vtt`; empty when it is not stated.
    public var type: String
    /// The language, BCP 47; `nil` when it is not stated.
    public var language: String?

    /// A file of a language.
    public init(address: String, type: String, language: String? = nil) {
        self.address = address
        self.type = type
        self.language = language
    }
}

/// The file that the others of a video were made of.
@_spi(Inlay) public struct VASTMezzanine: Hashable, Sendable {
    /// The file, with its address, type and size.
    public var file: VASTMediaFile
    /// In bytes; `nil` when it is not stated.
    public var bytes: Int?

    /// A file of a size.
    public init(file: VASTMediaFile, bytes: Int? = nil) {
        self.file = file
        self.bytes = bytes
    }
}

/// A program that goes with a video.
@_spi(Inlay) public struct VASTInteractiveFile: Hashable, Sendable {
    /// The address.
    public var address: String
    /// The media type in lower case; empty when it is not stated.
    public var type: String
    /// The framework that runs it, for example `SIMID`.
    public var apiFramework: String?
    /// Whether it may change how long the ad takes.
    public var variesDuration: Bool

    /// A program for a framework.
    public init(
        address: String, type: String, apiFramework: String? = nil, variesDuration: Bool = false
    ) {
        self.address = address
        self.type = type
        self.apiFramework = apiFramework
        self.variesDuration = variesDuration
    }
}

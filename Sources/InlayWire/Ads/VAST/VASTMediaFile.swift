/// One file of a video.
@_spi(Inlay) public struct VASTMediaFile: Hashable, Sendable {
    /// The delivery method of a media file.
    public enum Delivery: String, Hashable, Sendable { case progressive, streaming }

    /// The address.
    public var address: String
    /// The media type in lower case, for example `video/mp4`.
    public var type: String
    /// The width in pixels; 0 when it is not stated.
    public var width: Int
    /// The height in pixels; 0 when it is not stated.
    public var height: Int
    /// The delivery method.
    public var delivery: Delivery
    /// The bit rate in kbit/s, or the mean of its minimum and maximum; `nil` when it is not stated.
    public var bitrate: Int?
    /// The codec as the document states it.
    public var codec: String?
    /// The framework that runs the file, for example `VPAID`; such a file is a program and not played.
    public var apiFramework: String?

    /// Creates a file.
    public init(
        address: String, type: String, width: Int = 0, height: Int = 0, delivery: Delivery = .progressive,
        bitrate: Int? = nil, codec: String? = nil, apiFramework: String? = nil
    ) {
        self.address = address
        self.type = type
        self.width = width
        self.height = height
        self.delivery = delivery
        self.bitrate = bitrate
        self.codec = codec
        self.apiFramework = apiFramework
    }
}

@_spi(Inlay) public import InlayWire

/// The content of an ad.
@_spi(Inlay) public enum AdCreative: Hashable, Sendable {
    /// A page in a sandboxed frame. With a width or height of zero, it takes the available space.
    case html(String, size: AdSize)
    /// A video in the SDK's own player; it takes the available space, whatever size the response had.
    case video(AdVideo)
}

import InlayWire

/// The server asked to be left alone until a moment of the device's clock.
struct OutboxSilence: Error, Hashable, Sendable {
    let until: Timestamp
}

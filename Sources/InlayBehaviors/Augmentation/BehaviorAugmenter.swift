@_spi(Inlay) public import InlayWire

/// A plug-in that adds data to events that only the device or another service knows.
///
/// An event is in HOLD until every plug-in has processed it. At the time-out for all plug-ins together, the event is
/// sent without the changes of any plug-in.
public protocol BehaviorAugmenter: Sendable {
    /// Whether the data is available. Called again every 100 ms until it is.
    func isSupplementalDataReady() async -> Bool

    /// Whether the plug-ins after this one wait for it and see its changes; otherwise they run at the same time.
    var processesSynchronously: Bool { get }

    /// Returns the event with changed attributes. Changes of the id, the type and the time are ignored.
    ///
    /// After an error, the event stays as it was before this plug-in.
    func process(_ event: BehaviorEvent) async throws -> BehaviorEvent
}

extension BehaviorEvent {
    /// Sets the value of an attribute, or appends the attribute when there is none with this name.
    public mutating func set(_ name: String, _ value: String) {
        if let index = attributes.firstIndex(where: { $0.name == name }) {
            attributes[index].value = value
        } else {
            attributes.append(Attribute(name: name, value: value))
        }
    }

    /// Appends an attribute unless the event has one with this name: a value of the caller is never replaced.
    public mutating func setIfMissing(_ name: String, _ value: String) {
        if self[name] == nil { set(name, value) }
    }
}

@_spi(Inlay) public import InlayWire

/// A plug-in that adds to events what only the device or another service knows.
///
/// An event is in HOLD until every plug-in is through with it, or until the one time-out for all of them
/// ends; then it goes as it was handed over, without what any plug-in had added.
public protocol BehaviorAugmenter: Sendable {
    /// Whether the data are there. Asked again every 100 ms until they are.
    func isSupplementalDataReady() async -> Bool

    /// Whether the plug-ins after this one wait for it and see what it added; else they go on beside it.
    var processesSynchronously: Bool { get }

    /// Adds to an event. Of the result its attributes count; id, type and time stay what they are.
    ///
    /// An error leaves the event as it was before this plug-in.
    func process(_ event: BehaviorEvent) async throws -> BehaviorEvent
}

extension BehaviorEvent {
    /// Sets an attribute's value; a new name goes to the end.
    public mutating func set(_ name: String, _ value: String) {
        if let index = attributes.firstIndex(where: { $0.name == name }) {
            attributes[index].value = value
        } else {
            attributes.append(Attribute(name: name, value: value))
        }
    }

    /// Sets an attribute unless the event has one of that name: what the caller said wins.
    public mutating func setIfMissing(_ name: String, _ value: String) {
        if self[name] == nil { set(name, value) }
    }
}

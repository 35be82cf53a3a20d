import InlayWire

extension BehaviorLimits {
    /// Refuses an event that is larger than an event may be.
    static func check(_ event: KeptBehavior, shared: Int = 10) throws(BehaviorError) {
        // Core attributes count too, as the server sees them.
        let count = event.attributes.count + shared
        guard count <= attributes else { throw .tooManyAttributes(count) }
        var bytes = 512
        for attribute in event.attributes {
            guard !attribute.name.isEmpty, isShort(attribute.name, nameLength) else {
                throw .invalidName(String(attribute.name.unicodeScalars.prefix(40)))
            }
            guard isShort(attribute.value, valueLength) else {
                throw .valueTooLong(
                    name: attribute.name, length: attribute.value.unicodeScalars.count)
            }
            bytes += attribute.name.utf8.count + attribute.value.utf8.count + 24
        }
        guard bytes <= eventBytes else { throw .tooLarge(bytes: bytes) }
    }

    /// Counting scalars reads the whole text; bytes are known, and never fewer.
    private static func isShort(_ text: String, _ most: Int) -> Bool {
        text.utf8.count <= most || text.unicodeScalars.count <= most
    }
}

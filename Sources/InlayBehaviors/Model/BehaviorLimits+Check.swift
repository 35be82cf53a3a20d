@_spi(Inlay) import InlayWire

extension BehaviorLimits {
    /// Throws an error when an event or one of its attributes exceeds a limit.
    static func check(_ event: OutboxBehavior, shared: Int = 10) throws(BehaviorError) {
        // The server counts the core attributes too.
        let count = event.attributes.count + shared
        guard count <= maximumAttributes else { throw .tooManyAttributes(count) }
        var bytes = 512
        for attribute in event.attributes {
            guard (1...maximumNameBytes).contains(attribute.name.utf8.count) else {
                throw .invalidName(String(attribute.name.unicodeScalars.prefix(40)))
            }
            guard attribute.value.utf8.count <= maximumValueBytes else {
                throw .valueTooLong(name: attribute.name, bytes: attribute.value.utf8.count)
            }
            bytes += attribute.name.utf8.count + attribute.value.utf8.count + 24
        }
        guard bytes <= maximumEventBytes else { throw .tooLarge(bytes: bytes) }
    }

    /// Returns the text, cut to the maximum size of a value.
    static func cut(_ text: String) -> String {
        guard text.utf8.count > maximumValueBytes else { return text }
        var scalars = String.UnicodeScalarView()
        var bytes = 0
        for scalar in text.unicodeScalars {
            bytes += UTF8.width(scalar)
            guard bytes <= maximumValueBytes else { break }
            scalars.append(scalar)
        }
        return String(scalars)
    }
}

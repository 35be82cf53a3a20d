@_spi(Inlay) package import InlayWire

extension FieldErrors {
    /// Reads a number that was typed into a field; returns `nil` and adds a fault for any other text.
    ///
    /// - Parameters:
    ///   - rule: The sentence for a text that is no such number, unless the fault has a sentence of its own.
    ///   - value: The value of the number, `nil` where it cannot be one of this field; it may throw a fault of its own.
    package mutating func number<Value>(
        _ text: String, in field: String, _ form: TypedNumber.Form = [], rule: String,
        as value: (TypedNumber) throws(TypedNumber.Fault) -> Value?
    ) -> Value? {
        do {
            if let result = try value(TypedNumber(text, form)) { return result }
            add(field, rule)
        } catch {
            add(field, error.sentence ?? rule)
        }
        return nil
    }
}

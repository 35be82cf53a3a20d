extension KeyedDecodingContainer {
    /// The value of a key; `nil` when it is missing, null, or of another type.
    func readable<Value: Decodable>(_ key: Key) -> Value? { try? decodeIfPresent(Value.self, forKey: key) }
}

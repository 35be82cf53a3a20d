/// Limits on the size of an event, as the SDK checks them. The server accepts at least as much.
@_spi(Inlay) public enum BehaviorLimits {
    /// The maximum number of attributes of an event, the automatic ones included.
    public static let maximumAttributes = 200
    /// The maximum length of the name of an attribute, in bytes of UTF-8. The minimum is one.
    public static let maximumNameBytes = 256
    /// The maximum length of the value of an attribute, in bytes of UTF-8.
    public static let maximumValueBytes = 8192
    /// The maximum size of an event, in bytes: an estimate of its JSON without escapes.
    public static let maximumEventBytes = 65_536
}

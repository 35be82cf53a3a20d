/// Limits on the work that a repository may cause in this client. Each is a ceiling on hostile input.
@_spi(Inlay) public struct TrustLimits: Sendable, Equatable {
    /// The longest root, in bytes.
    public var rootBytes = 512_000
    /// The longest timestamp, in bytes.
    public var timestampBytes = 16_384
    /// The longest snapshot, in bytes: if the timestamp states a greater length, the snapshot is refused.
    public var snapshotBytes = 2_000_000
    /// The longest targets metadata, in bytes, whether the snapshot states its length or not.
    public var targetsBytes = 8_000_000
    /// The longest target.
    public var targetBytes = 512_000_000
    /// The maximum number of new roots that one refresh follows.
    public var rootRotations = 256
    /// The maximum number of delegated roles that one search visits.
    public var delegations = 32
    /// Over each window at least this many bytes must arrive in a second on average.
    public var minimumBytesPerSecond = 128
    /// The window.
    public var slowWindow: Duration = .seconds(15)
    /// The window for targets; `nil` is the same. Longer for a fetcher that hands over large pieces at once.
    public var targetWindow: Duration?
    /// The maximum time for one metadata file.
    public var metadataDeadline: Duration = .seconds(120)
    /// The maximum time for one target.
    public var targetDeadline: Duration = .seconds(1_800)

    /// The defaults.
    public init() {}
}

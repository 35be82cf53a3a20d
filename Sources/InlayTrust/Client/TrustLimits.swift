/// Limits on the work that a repository may cause in this client. Each is a ceiling on hostile input.
@_spi(Inlay) public struct TrustLimits: Sendable, Equatable {
    /// The maximum bytes of a root.
    public var rootBytes = 512_000
    /// The maximum bytes of a timestamp.
    public var timestampBytes = 16_384
    /// The maximum bytes of a snapshot: if the timestamp states a greater length, the snapshot is refused.
    public var snapshotBytes = 2_000_000
    /// The maximum bytes of targets metadata, whether the snapshot states its length or not.
    public var targetsBytes = 8_000_000
    /// The maximum bytes of a target.
    public var targetBytes = 512_000_000
    /// The maximum number of new roots that one refresh follows.
    public var rootRotations = 256
    /// The maximum number of delegated roles that one search visits.
    public var delegations = 32
    /// The minimum number of bytes in a second, on average over each window.
    public var minimumBytesPerSecond = 128
    /// The window over which the speed of a download is averaged.
    public var slowWindow: Duration = .seconds(15)
    /// The window for targets; `nil` stands for `slowWindow`. Longer for a fetcher that passes on large pieces at once.
    public var targetWindow: Duration?
    /// The maximum time for one metadata file.
    public var metadataDeadline: Duration = .seconds(120)
    /// The maximum time for one target.
    public var targetDeadline: Duration = .seconds(1_800)

    /// The defaults.
    public init() {}
}

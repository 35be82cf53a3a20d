@_spi(Inlay) import InlayTrust

/// Limits on content from a source. Content beyond them is refused, and the old content stays.
package struct HubLimits: Hashable, Sendable {
    /// The largest single file; default 256 MiB.
    package var fileBytes = 256 << 20
    /// All files of a version together; default 2 GiB.
    package var versionBytes = 2 << 30
    /// The most files of a version; default 20,000.
    package var files = 20_000
    /// The largest index; default 16 MiB.
    package var indexBytes = 16 << 20
    /// The slowest download that is waited for, in bytes a second; default 4 KiB.
    package var minimumBytesPerSecond = 4 << 10
    /// The time that any request has, besides what its length is worth; default 30 s.
    package var requestTime = Duration.seconds(30)

    /// The defaults.
    package init() {}

    /// The same for the metadata and the files that trust is about.
    var trust: TrustLimits {
        var limits = TrustLimits()
        limits.targetBytes = max(fileBytes, indexBytes)
        // A piece is handed over when it is whole: in a shorter window a slow one would look like none.
        limits.targetWindow = time(for: HubTransportFetcher.pieceBytes)
        limits.targetDeadline = max(limits.targetDeadline, time(for: limits.targetBytes))
        return limits
    }

    /// The maximum time for the download of so many bytes.
    func time(for bytes: Int) -> Duration { requestTime + .seconds(bytes / max(minimumBytesPerSecond, 1)) }
}

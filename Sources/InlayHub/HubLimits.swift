@_spi(Inlay) import InlayTrust

/// Limits on content from a source. Content beyond them is refused, and the old content stays.
package struct HubLimits: Hashable, Sendable {
    /// The maximum bytes of a file; default 256 MiB.
    package var fileBytes = 256 << 20
    /// The maximum bytes of all files of a version together; default 2 GiB.
    package var versionBytes = 2 << 30
    /// The maximum number of files of a version; default 20,000.
    package var files = 20_000
    /// The maximum bytes of the index, and of each of its parts; default 16 MiB.
    package var indexBytes = 16 << 20
    /// The minimum speed of a download, in bytes a second; default 4 KiB.
    package var minimumBytesPerSecond = 4 << 10
    /// The time that any request has, in addition to the time for its bytes; default 30 s.
    package var requestTime = Duration.seconds(30)

    /// The defaults.
    package init() {}

    /// The limits for the trust client, which fetches the metadata and the files.
    var trust: TrustLimits {
        var limits = TrustLimits()
        limits.targetBytes = max(fileBytes, indexBytes)
        // A piece is passed on when it is complete: in a shorter window, a slow piece would count as no bytes.
        limits.targetWindow = time(for: HubTransportFetcher.pieceBytes)
        limits.targetDeadline = max(limits.targetDeadline, time(for: limits.targetBytes))
        return limits
    }

    /// Returns the maximum time for the download of so many bytes.
    func time(for bytes: Int) -> Duration { requestTime + .seconds(bytes / max(minimumBytesPerSecond, 1)) }
}

/// The rule that chooses the media file of a video that fits a player best.
///
/// The choice depends only on the player and the files, so that the server can predict which file the app plays.
@_spi(Inlay) public struct MediaFileRanking: Hashable, Sendable {
    /// The media types that the player plays, best first, in lower case.
    public var types: [String]
    /// The player's width in pixels; 0 when it is not known.
    public var width: Int
    /// The player's height in pixels; 0 when it is not known.
    public var height: Int
    /// The maximum bit rate of the connection, in kbit/s; `nil` when it is not known.
    public var bitrate: Int?

    /// Creates a player's rule; by default, it plays MP4 and WebM, and its size and bit rate are not known.
    public init(
        types: [String] = ["video/mp4", "video/webm"], width: Int = 0, height: Int = 0, bitrate: Int? = nil
    ) {
        self.types = types
        self.width = width
        self.height = height
        self.bitrate = bitrate
    }

    /// Returns the files that the player plays, best first; an empty result means error 403.
    ///
    /// The criteria, in order: a bit rate that the connection carries, a size near the player's (a file that is too
    /// small is worse than one that is too large by the same factor), the better type, the higher bit rate, the
    /// document's order.
    public func ranked(_ files: [VASTMediaFile]) -> [VASTMediaFile] {
        let ranked = files.enumerated().compactMap { position, file in
            rank(file, position).map { (rank: $0, file: file) }
        }
        return ranked.sorted { $0.rank < $1.rank }.map(\.file)
    }

    private func rank(_ file: VASTMediaFile, _ position: Int) -> MediaRank? {
        guard file.apiFramework == nil, let type = type(file) else { return nil }
        let rate = file.bitrate ?? 0
        let excess = bitrate.map { max(rate - $0, 0) } ?? 0
        return MediaRank(numbers: [excess, distance(file), type, -rate, position])
    }

    private func type(_ file: VASTMediaFile) -> Int? {
        var plain = file.type.prefix { $0 != ";" }
        while plain.last?.isWhitespace == true { plain.removeLast() }
        return types.firstIndex { $0 == plain }
    }

    /// The difference between the file's size and the player's, in thousandths of the player's.
    private func distance(_ file: VASTMediaFile) -> Int {
        guard width > 0, height > 0, file.width > 0, file.height > 0 else { return 0 }
        // The video is scaled to fit into the player, so the tighter of its two sides decides.
        let scale = min(
            Double(width) / Double(file.width), Double(height) / Double(file.height))
        let thousandths = Int(((scale >= 1 ? scale : 1 / scale) - 1) * 1000)
        return scale > 1 ? thousandths * 2 : thousandths
    }
}

private struct MediaRank: Comparable {
    let numbers: [Int]

    static func < (left: Self, right: Self) -> Bool {
        left.numbers.lexicographicallyPrecedes(right.numbers)
    }
}

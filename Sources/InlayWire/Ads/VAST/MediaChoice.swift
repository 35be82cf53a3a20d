/// Chooses the file of a video that fits a player best.
///
/// The same player and the same files always give the same choice, in the app that plays them and on the server that
/// says beforehand what will be played.
@_spi(Inlay) public struct MediaChoice: Hashable, Sendable {
    /// The media types that the player plays, best first, in lower case.
    public var types: [String]
    /// The player's width in pixels; 0 when it is not known.
    public var width: Int
    /// The player's height in pixels; 0 when it is not known.
    public var height: Int
    /// The most that the connection carries, in kbit/s; `nil` when it is not known.
    public var bitrate: Int?

    /// A player; by default one that plays MP4 and WebM and states nothing else.
    public init(
        types: [String] = ["video/mp4", "video/webm"], width: Int = 0, height: Int = 0, bitrate: Int? = nil
    ) {
        self.types = types
        self.width = width
        self.height = height
        self.bitrate = bitrate
    }

    /// The files that the player plays, best first; none is error 403.
    ///
    /// In this order: a rate that the connection carries, a size near the player's (one that is too small is worse
    /// than one that is as much too large), the better type, the higher rate, the document's order.
    public func ranked(_ files: [VASTMediaFile]) -> [VASTMediaFile] {
        let ranked = files.enumerated().compactMap { place, file in
            rank(file, place).map { (rank: $0, file: file) }
        }
        return ranked.sorted { $0.rank < $1.rank }.map(\.file)
    }

    private func rank(_ file: VASTMediaFile, _ place: Int) -> MediaRank? {
        guard file.apiFramework == nil, let type = type(file) else { return nil }
        let rate = file.bitrate ?? 0
        let excess = bitrate.map { max(rate - $0, 0) } ?? 0
        return MediaRank(numbers: [excess, distance(file), type, -rate, place])
    }

    private func type(_ file: VASTMediaFile) -> Int? {
        let plain = file.type.prefix { $0 != ";" }
        return types.firstIndex { $0 == plain }
    }

    /// The difference between the file's size and the player's, in thousandths of the player's.
    private func distance(_ file: VASTMediaFile) -> Int {
        guard width > 0, height > 0, file.width > 0, file.height > 0 else { return 0 }
        // The picture is fitted in, so the side that fills first decides.
        let scale = min(
            Double(width) / Double(file.width), Double(height) / Double(file.height))
        let parts = Int(((scale >= 1 ? scale : 1 / scale) - 1) * 1000)
        return scale > 1 ? parts * 2 : parts
    }
}

private struct MediaRank: Comparable {
    let numbers: [Int]

    static func < (left: Self, right: Self) -> Bool {
        left.numbers.lexicographicallyPrecedes(right.numbers)
    }
}

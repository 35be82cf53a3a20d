import Foundation

/// A log with one line for each finished part of a long count, so that an interrupted count continues.
struct CountLog {
    /// The counts of a part.
    struct Tally {
        /// The number of transfers, or of hours of random light.
        var count = 0
        /// The number of wrong payloads, or of blocks received from random light.
        var bad = 0
        /// The number of payloads with a wrong check.
        var refused = 0
        /// The number of transfers that were not complete in time.
        var missed = 0

        static func += (sum: inout Tally, part: Tally) {
            sum.count += part.count
            sum.bad += part.bad
            sum.refused += part.refused
            sum.missed += part.missed
        }
    }

    private let file: URL?
    private var parts: [String: Tally] = [:]

    /// - Parameters:
    ///   - path: The path of the log; `nil` for no log.
    ///   - fingerprint: The fingerprint of the receiver and the channels. A log with another fingerprint is refused.
    init(path: String?, fingerprint: String) throws {
        file = path.map { URL(fileURLWithPath: $0) }
        guard let file else { return }
        let heading = "fingerprint \(fingerprint)"
        guard let text = try? String(contentsOf: file, encoding: .utf8), !text.isEmpty else {
            try (heading + "\n").write(to: file, atomically: true, encoding: .utf8)
            return
        }
        let lines = text.split(separator: "\n")
        guard lines[0] == heading else { throw CountError.anotherReceiver(file.path) }
        for line in lines.dropFirst() {
            let cells = line.split(separator: "\t")
            let numbers = cells.dropFirst().compactMap { Int($0) }
            // A line that a crash has truncated is skipped, so that its part is counted again.
            guard cells.count == 5, numbers.count == 4 else { continue }
            parts[String(cells[0])] = Tally(
                count: numbers[0], bad: numbers[1], refused: numbers[2], missed: numbers[3])
        }
    }

    /// Returns a part's counts from the log, or computes and logs them.
    mutating func tally(of part: String, _ work: () -> Tally) throws -> Tally {
        if let known = parts[part] { return known }
        let tally = work()
        parts[part] = tally
        guard let file else { return tally }
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        try handle.seekToEnd()
        let line = "\(part)\t\(tally.count)\t\(tally.bad)\t\(tally.refused)\t\(tally.missed)\n"
        try handle.write(contentsOf: Data(line.utf8))
        return tally
    }
}

/// The errors of a long count.
enum CountError: Error, CustomStringConvertible {
    case anotherReceiver(String)
    case happened

    var description: String {
        switch self {
        case .anotherReceiver(let path):
            "\(path) counts another receiver, or other channels: remove it, or name another file with --log."
        case .happened: "What must never happen did."
        }
    }
}

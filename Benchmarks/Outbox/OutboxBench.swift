import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayWire

/// A benchmark of storing an event with five attributes, compared with plain SQLite.
///
/// It enqueues an item in the outbox or, with `track` as second argument, tracks an event of Behaviors. Prints a JSON
/// object of numbers, from which `Scripts/bench` makes a row. It is a target of the SDK's package because the outbox is
/// not public.
@main enum OutboxBench {
    static func main() async throws {
        let count = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 100_000
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "inlay-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }

        let isTrack = CommandLine.arguments.dropFirst(2).first == "track"
        let run = OutboxRun(
            folder: folder.appendingPathComponent("sdk"), subject: isTrack ? TrackSubject() : EnqueueSubject()
        )
        let sample = try await OutboxRun.sample(of: run.subject, in: folder.appendingPathComponent("sample"))
        // Plain SQLite runs first and last, so that the mean includes changes of the machine's load.
        func bare(_ name: String) throws -> Double {
            try BareInserts.rate(count: count, at: folder.appendingPathComponent(name), sample: sample)
        }
        let before = try bare("bare-1.sqlite")
        var numbers = try await run.measure(count: count)
        let after = try bare("bare-2.sqlite")
        numbers["bareRate"] = (before + after) / 2
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        print(String(decoding: try encoder.encode(numbers), as: UTF8.self))
    }

    /// Returns a typical event of an app, with five attributes.
    static func event(_ number: Int) -> AnalyticsEvent {
        AnalyticsEvent(
            id: UUIDv7.make(at: Timestamp(microseconds: 1_800_000_000_000_000 + Int64(number))),
            name: "screen-viewed", time: Timestamp(microseconds: 1_800_000_000_000_000 + Int64(number)),
            clientVersion: "4.2.0",
            properties: [
                "screen": "timetable", "from": "Kirkwall", "to": "Stromness", "passengers": 3,
                "number": .integer(Int64(number)),
            ])
    }
}

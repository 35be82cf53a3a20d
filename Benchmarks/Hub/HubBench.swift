import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayHub
@_spi(Inlay) import InlayTrust
@_spi(Inlay) import InlayWire

/// A benchmark of the hub: the rate of verifying and activating a version, compared with ``PlainFileWriter``; the time
/// to read an article from the store; and the bytes that a change of one article transfers.
///
/// Prints a JSON object of numbers, from which `Scripts/bench` makes rows.
@main enum HubBench {
    static func main() async throws {
        let megabytes = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 100
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "inlay-bench-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let repository = try BenchRepository(megabytes: megabytes)
        let server = MemoryServer(files: repository.files)
        let session = try await InlaySession(
            configuration: SessionConfiguration(
                environmentID: "bench", apiKey: "ak_bench", baseURL: URL(string: "https://bench.test")!,
                folder: folder),
            transport: server, tokenProvider: { nil })
        var configuration = HubConfiguration(source: "bench", trust: .root(repository.root))
        // So that only the measured requests are sent.
        configuration.settings.syncMode = .blocking
        configuration.metrics = nil
        try session.hub.start(configuration)

        let byHand = try PlainFileWriter(folder: folder.appendingPathComponent("by-hand"))
        let before = try byHand.seconds(repository.contents)
        let (start, startProcessor) = (ContinuousClock.now, clock())
        try await session.hub.update()
        let activated = (ContinuousClock.now - start) / .seconds(1)
        let processor = Double(clock() - startProcessor) / Double(CLOCKS_PER_SEC)
        let after = try byHand.seconds(repository.contents)
        let bytes = Double(repository.contents.reduce(0) { $0 + $1.count })
        let opened = try openSeconds(session.hub.content, repository.pages)
        let changed = try repository.change()
        server.replace(repository.files)
        try await session.hub.update()
        let numbers = [
            "bytes": bytes, "rate": bytes / activated,
            "byHandRate": bytes / ((before.all + after.all) / 2),
            "processorMillis": processor * 1e3,
            "byHandProcessorMillis": (before.processor + after.processor) / 2 * 1e3,
            "sha256Rate": bytes / ((before.hashing + after.hashing) / 2),
            "openP50Millis": opened[opened.count / 2] * 1e3,
            "openP99Millis": opened[opened.count * 99 / 100] * 1e3,
            "movedBytes": Double(server.sent), "changedBytes": Double(changed),
        ]
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        print(String(decoding: try encoder.encode(numbers), as: UTF8.self))
    }

    private static func openSeconds(_ content: HubContent, _ pages: [String]) throws -> [Double] {
        var all: [Double] = []
        for _ in 0..<20 {
            for page in pages {
                let start = ContinuousClock.now
                _ = try content.file(page)
                all.append((ContinuousClock.now - start) / .seconds(1))
            }
        }
        return all.sorted()
    }
}

#if os(Linux) || os(macOS)
    import Foundation
    import InlayHubTesting
    import InlayTesting
    import InlayTrust
    import InlayWire

    @testable import InlayCore
    @testable import InlayHub
    @_spi(Inlay) import InlayWire

    /// The program `hub-crash-target` beside the test bundle, which updates from a folder and is killed meanwhile.
    final class HubCrashTarget: Sendable {
        enum Ending: Int32 { case finished = 0, failed = 1, diskFull = 3, killed = -9 }

        static let source = "harbor"
        let folder: TemporaryFolder

        /// Publishes versions from 1 on; `run` selects the version that the target receives.
        init(versions: Int, pageBytes: Int = 2000) throws {
            folder = try TemporaryFolder()
            let now = Timestamp(seconds: Date().timeIntervalSince1970)
            let publisher = try TestPublisher(now: now)
            let repository = folder.url.appendingPathComponent("repository")
            for number in 1...Int64(versions) {
                var source = TestSource.harbor(number)
                for path in source.files.keys {
                    source.files[path] = Data("v\(number) ".utf8) + Data(repeating: 0x20, count: pageBytes)
                }
                source.files["assets/same.css"] = Data("the same in all".utf8)
                source.index.files = ["assets/same.css"]
                try publisher.publish(source, now: now)
                let timestamp = repository.appendingPathComponent("timestamps/\(number).json")
                try FileManager.default.createDirectory(
                    at: timestamp.deletingLastPathComponent(), withIntermediateDirectories: true)
                try publisher.metadata["timestamp.json"]?.write(to: timestamp)
            }
            try publisher.write(to: repository)
            try publisher.root.write(to: repository.appendingPathComponent("root.json"))
        }

        func run(version: Int64, killAfter: Duration?, maximumFileBytes: Int? = nil) async throws -> Ending {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
                .deletingLastPathComponent().appendingPathComponent("hub-crash-target")
            process.arguments = [
                folder.url.appendingPathComponent("store").path,
                folder.url.appendingPathComponent("repository").path,
                "\(version)", "\(killAfter?.microseconds ?? -1)", "\(maximumFileBytes ?? -1)",
            ]
            process.standardOutput = FileHandle.nullDevice
            let ended = ConditionSignal()
            process.terminationHandler = { _ in ended.changed() }
            try process.run()
            try await ended.until(within: .seconds(60), "the end of the target") { !process.isRunning }
            if process.terminationReason == .uncaughtSignal { return .killed }
            return Ending(rawValue: process.terminationStatus) ?? .failed
        }

        /// Returns the version that the next start would show. Throws unless all of its files exist and belong to it.
        func wholeVersion() throws -> Int64 {
            var configuration = SessionConfiguration(
                environmentID: TestPublisher.environment, apiKey: "key",
                baseURL: URL(fileURLWithPath: "/"), folder: folder.url.appendingPathComponent("store"))
            configuration.clientVersion = "1"
            let place = HubFolders(configuration).content(of: Self.source)
            let library = try HubLibrary(
                place, limits: HubLimits(), stateObservers: HubStateObservers(), log: HubLog(),
                now: SystemClock().now)
            library.open()
            guard let content = library.content else { throw HubError.noContent }
            for path in content.paths {
                let data = try content.file(path)
                guard path.hasPrefix("articles/") else { continue }
                guard data.starts(with: Data("v\(content.version) ".utf8)) else {
                    throw HubError.invalidContent("\(path) is of another version than \(content.version)")
                }
            }
            return content.version
        }
    }
#endif

import ArgumentParser
import Foundation
import InlayHubServer
import InlayServer
import Logging
import ServiceLifecycle

/// `inlay demo`: runs a server with a fictional company, and an app that shows its cards.
struct Demo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run a server with a made-up ferry company, and an app that shows its cards.",
        discussion: """
            Everything is made anew at each start, in a folder of its own, and is gone when it stops (Ctrl-C). \
            A port that is taken is replaced by a free one.
            """)

    @Option(help: "The server's port.") var port = 8080
    @Option(help: "The app's port.") var appPort = 8081
    @Option(
        help: ArgumentHelp(
            "Milliseconds that a request for an ad may take, bidders included; for tests on busy machines.",
            visibility: .hidden))
    var adsMilliseconds = 1_000
    @Option(
        help:
            "A program that shows the app in a window of its own; `make demo ARGS=--gtk` builds one and names it here."
    )
    var window: String?

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("inlay-demo-\(UUID())")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        var logger = Logger(label: "inlay.demo") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .warning
        let harbor = try await DemoHarbor.open(
            in: folder, port: port, appPort: appPort, adsMilliseconds: adsMilliseconds, logger: logger)
        try await serve(harbor, appFolder: folder.appendingPathComponent("app"), logger: logger)
    }

    private func serve(_ harbor: DemoHarbor, appFolder: URL, logger: Logger) async throws {
        let app = DemoAppService(
            harbor: harbor, folder: appFolder, window: window.map { URL(fileURLWithPath: $0) })
        let group = ServiceGroup(
            configuration: .init(
                services: [harbor.server, harbor.bidder, app], gracefulShutdownSignals: [.sigterm, .sigint],
                logger: logger))
        harbor.ports.forEach { $0.release() }
        try await group.run()
        Output.line("\nStopped.")
    }
}

/// The demo app as a service, which starts when the server listens and stops with it.
private struct DemoAppService: Service {
    let harbor: DemoHarbor
    let folder: URL
    let window: URL?

    func run() async throws {
        guard await harbor.server.port != nil else { return }
        let address = harbor.address
        let app = try await DemoApp.start(harbor, folder: folder)
        Output.line(
            """

            Harbor is open. Press Ctrl-C to stop.

              Workbench   \(address.appendingPathComponent("workbench"))
              sign in as  admin
              password    \(harbor.password)

              The app     \(app.address)

            \(harbor.hasVideo ? "" : "There is no video ad: install vpx-tools, which encodes it.\n")
            """)
        let child = try window.map { try DemoWindow.open($0, harbor, folder: folder) }
        defer { child?.terminate() }
        await cancelWhenGracefulShutdown { await app.run() }
    }
}

/// The demo's app in a window of its own: another program, and for the server another device of the same passenger.
enum DemoWindow {
    /// Starts the program, which gets in its environment what an app contains or gets from its company's back end.
    static func open(_ program: URL, _ harbor: DemoHarbor, folder: URL) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // This program ignores signals that it handles itself, and programs that it starts would inherit that.
        process.arguments = ["--default-signal=TERM,INT", program.path]
        var environment = ProcessInfo.processInfo.environment
        environment["HARBOR_SERVER"] = harbor.address.absoluteString
        environment["HARBOR_ENVIRONMENT"] = HarborCompany.environmentID.rawValue
        environment["HARBOR_API_KEY"] = harbor.apiKey
        environment["HARBOR_TOKEN"] = try harbor.signer.token(
            user: HarborCompany.maya.rawValue, life: .seconds(12 * 3600))
        environment["HARBOR_FOLDER"] = folder.appendingPathComponent("window").path
        process.environment = environment
        try process.run()
        return process
    }
}

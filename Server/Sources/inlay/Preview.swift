import ArgumentParser
import Foundation
import InlayBrowser
import InlayCardsServer
@_spi(Inlay) import InlayCore
import InlayDevicesServer
@_spi(Inlay) import InlayHub
import InlayHubServer
@_spi(Inlay) import InlayHubView
import InlayNIO
@_spi(Inlay) import InlaySurface
import InlayWebHost
import Logging
import ServiceLifecycle

/// `inlay preview`: shows a folder of content as the app would.
struct Preview: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show a hub's content from a folder, as the app would.",
        discussion: """
            The folder holds the files of one content version: index.json and what it names. Nothing is \
            published, and nothing is verified. Ctrl-C stops it.
            """)

    @Argument(help: "The folder with index.json.") var folder: String
    @Option(help: "The port on 127.0.0.1; a free one is taken when it is in use.") var port = 8081
    @Flag(help: "Let pages reach everything outside, as an app may.") var external = false
    @Option(help: "A host that pages may reach, over https.") var allowDomain: [String] = []
    @Option(help: "An address that pages may load, with exactly its query and its fragment.")
    var allowURL: [String] = []
    @Option(help: "A scheme of the app's own.") var appScheme: [String] = []
    @Option(help: "Colours: light, dark, or device.") var look = "device"
    @Option(help: "Background of pages without one, as red,green,blue.") var background: String?
    @Option(help: "Show a status in place of the content.") var status: PreviewStatus?
    @Flag(help: "Show it as a part of an app's screen, without a bar.") var nested = false

    func run() async throws {
        var allowed = HubAllowList()
        for domain in allowDomain { try allowed.allow(domain: domain) }
        for url in allowURL { try allowed.allow(url: url) }
        for scheme in appScheme { try allowed.allow(scheme: scheme) }
        let surface = try HubSurface(
            previewing: URL(fileURLWithPath: folder),
            appearance: hubAppearance,
            access: HubAccess(contentSource: external ? .externalAllowed : .localOnly, allowed: allowed),
            status: status?.body
        ) { decision in
            switch decision {
            case .app(let address): Output.line("app \(address)")
            case .ask(let address): Output.line("open \(address)")
            case .content, .refuse: break
            }
        }
        var configuration = BrowserHost.Configuration()
        configuration.port = try LoopbackPort.reserve(port).release()
        let transport = try NIOTransport()
        let host = try await BrowserHost.start(
            surfaces: [surface], configuration: configuration, media: transport.media)
        Output.line("The hub  \(host.address(of: surface.name))")
        var logger = Logger(label: "inlay.preview") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .warning
        try await ServiceGroup(
            configuration: .init(
                services: [BrowserHostService(host: host)], gracefulShutdownSignals: [.sigterm, .sigint],
                logger: logger)
        ).run()
    }
}

extension Preview {
    private var hubAppearance: HubAppearance {
        HubAppearance(
            presentation: nested ? .nested : .modal,
            colorScheme: HubAppearance.ColorScheme(rawValue: look) ?? .device, background: color)
    }

    private var color: SurfaceColor? {
        let parts = (background ?? "").split(separator: ",").compactMap { UInt8($0) }
        return parts.count == 3 ? SurfaceColor(red: parts[0], green: parts[1], blue: parts[2]) : nil
    }
}

/// A status of the hub that replaces its content.
enum PreviewStatus: String, ExpressibleByArgument, CaseIterable {
    case checking, downloading, offline, failed, disabled, empty

    var body: HubScreen.Body {
        switch self {
        case .checking: .checking(message: nil)
        case .downloading: .downloading(fraction: 0.42, message: nil)
        case .offline: .failed(.offline, message: nil)
        case .failed: .failed(.other, message: nil)
        case .disabled: .disabled(reason: nil)
        case .empty: .empty
        }
    }
}

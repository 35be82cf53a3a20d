import ArgumentParser
import Foundation
import InlayBrowser
@_spi(Inlay) import InlayCore
@_spi(Inlay) import InlayDevices
import InlayDevicesServer
import InlayHubServer
import InlayNIO
import InlayServerCore
@_spi(Inlay) import InlayDevicesView
@_spi(Inlay) import InlaySurface
import Logging
import ServiceLifecycle

/// `inlay device app`: shows the set-up of a device in a browser.
struct DeviceApp: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app", abstract: "Show the set-up of a device in a browser, as an app would.",
        discussion: """
            Prints what the app hears, one line each. With --screen one screen stands still, for those who \
            choose words and colours. Ctrl-C stops it.
            """)

    @Option(help: "The server, for example https://inlay.example.com.", transform: BaseURL.argument)
    var server = BaseURL.standard
    @Option(help: "The environment's id.") var environment = "none"
    @Option(help: "The environment's public API key.") var key = "none"
    @Option(help: "The application's id.") var application = ""
    @Option(help: "One of the application's secrets.") var secret = ""
    @Option(help: "Where the log-in is kept; a new folder, removed at the end, unless given.")
    var folder: String?
    @Option(help: "The port on 127.0.0.1; a free one is taken when it is in use.") var port = 0
    @Option(help: "A network that the phone knows.") var network: [String] = []
    @Option(help: "How many screens of tips follow.") var tips = 3
    @Option(help: "A picture for the first screen.") var logo: String?
    @Flag(help: "Ask for the password before the code from the mail.") var passwordFirst = false
    @Flag(help: "As further screens of an app's own, with arrows back.") var pushed = false
    @Flag(help: "The tips alone.") var tipsOnly = false
    @Option(help: "Light or dark; the device's unless given.") var look: String?
    @Option(help: "Show one screen and nothing else, for example mail or failed:wrongPassword.")
    var screen: String?

    func run() async throws {
        let place =
            folder.map { URL(fileURLWithPath: $0) }
            ?? FileManager.default.temporaryDirectory.appendingPathComponent(
                "inlay-device-\(UUID().uuidString)")
        // A folder without a given name is a temporary one of this process.
        defer { if folder == nil { try? FileManager.default.removeItem(at: place) } }
        let surface: DeviceSetupSurface
        var services: [any Service] = []
        if let screen {
            surface = try DeviceSetupSurface(
                previewing: try still(screen), appearance: setupAppearance, logo: logoData)
        } else {
            let setup = try await setUp(in: place)
            surface = try DeviceSetupSurface(setup, appearance: setupAppearance, logo: logoData)
            services.append(EventPrinter(setup: setup))
        }
        var configuration = BrowserHost.Configuration()
        configuration.port = try LoopbackPort.reserve(port).release()
        let host = try await BrowserHost.start(surfaces: [surface], configuration: configuration)
        Output.line("The app  \(host.address(of: surface.name))")
        var logger = Logger(label: "inlay.device") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .warning
        try await ServiceGroup(
            configuration: .init(
                services: services.map { .init(service: $0, successTerminationBehavior: .ignore) }
                    + [.init(service: BrowserHostService(host: host))],
                gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        ).run()
    }

    private func setUp(in place: URL) async throws -> DeviceSetup {
        let session = SessionConfiguration(
            environmentID: environment, apiKey: key, baseURL: server.url, folder: place)
        let devices = try await Devices(
            DevicesConfiguration(session: session, applicationID: application, applicationSecret: secret),
            transport: try NIOTransport())
        var options = DeviceSetup.Options()
        options.showsLogo = logo != nil
        options.afterMail = passwordFirst ? .logIn : .mailCode
        options.networks = network
        options.tips = tips
        return tipsOnly ? devices.tips(options) : devices.setUp(options)
    }

    private var logoData: Data? {
        get throws { try logo.map { try Data(contentsOf: URL(fileURLWithPath: $0)) } }
    }

    private var setupAppearance: SetupAppearance {
        SetupAppearance(
            presentation: pushed ? .pushed : .modal,
            colorScheme: look.flatMap(SurfaceEnvironment.ColorScheme.init), logoText: "Harbor")
    }

    private func still(_ name: String) throws -> SetupScreen {
        guard let body = SetupScreen.Body(named: name) else {
            throw CommandError("No screen is called \(name).")
        }
        var screen = SetupScreen(body, screenNumber: 1)
        (screen.email, screen.network, screen.device) = (
            "maya@example.com", "Harbor guests", "Kitchen reader"
        )
        screen.networks = network
        screen.canGoBack = !["mail", "paired", "tip:0"].contains(name)
        return screen
    }
}

/// A service that prints the events that the app receives.
private struct EventPrinter: Service {
    let setup: DeviceSetup

    func run() async throws {
        let events = setup.events()
        await cancelWhenGracefulShutdown {
            for await event in events { Output.line("heard \(Self.text(event))") }
        }
    }

    private static func text(_ event: DeviceSetup.Event) -> String {
        switch event {
        case .authenticated(let success): "authenticated \(success)"
        case .authorized(let success): "authorized \(success)"
        case .paired(let device): "paired \(device.serial)"
        // `tooLong` is not in the enum of failures that server, app and device share.
        case .failed(.tooLong): "failed tooLong"
        case .failed(let problem): "failed \(problem.reason.rawValue)"
        case .light(let isOn): "light \(isOn)"
        case .tipsCompleted: "tips"
        case .open(let address): "open \(address)"
        case .ended(.cancelled): "ended cancelled"
        case .ended(.tipsOnly): "ended tips"
        case .ended(.finished(let device, _)): "ended \(device.serial)"
        }
    }
}

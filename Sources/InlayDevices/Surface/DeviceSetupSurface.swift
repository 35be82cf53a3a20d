public import Foundation
@_spi(Inlay) public import InlayDevicesView
@_spi(Inlay) public import InlaySurface
import InlayCore
@_spi(Inlay) import InlayLight
@_spi(Inlay) import InlayWire

/// A surface that shows a set-up and forwards the user's input to it.
///
/// Several views may show the set-up at once. The square flashes only in the view in which it was started.
public actor DeviceSetupSurface: Surface, FrameSurface {
    public nonisolated let name: String
    public nonisolated let assets = SurfaceAssets.devices
    /// The look of the surface; hosts read presentation and status bar here.
    public nonisolated let appearance: SetupAppearance
    private let setup: any DeviceSetupReading
    private let logo: SurfaceContent?
    private let renderer: SurfaceRenderer
    /// The state of a view is whether its set-up has begun: before that it shows nothing.
    package var views = SurfaceViews(state: false)

    /// A surface for a set-up, which starts when its first view connects.
    ///
    /// - Parameter logo: PNG, JPEG or SVG bytes of at most 1 MiB, shown as the first screen when the set-up's
    ///   options say so.
    /// - Throws: `SurfaceRenderer.Failure` when the module's resources are missing.
    public init(
        _ setup: DeviceSetup, name: String = "setup", appearance: SetupAppearance = SetupAppearance(),
        logo: Data? = nil
    ) throws {
        try self.init(reading: setup, name: name, appearance: appearance, logo: logo)
    }

    /// A preview of one screen, for editors of texts and colours; its buttons do nothing.
    ///
    /// - Throws: `SurfaceRenderer.Failure` when the module's resources are missing.
    @_spi(Inlay) public init(
        previewing screen: SetupScreen, name: String = "setup",
        appearance: SetupAppearance = SetupAppearance(),
        logo: Data? = nil
    ) throws {
        try self.init(reading: StaticSetup(still: screen), name: name, appearance: appearance, logo: logo)
    }

    /// A surface for any source of screens.
    package init(
        reading setup: any DeviceSetupReading, name: String = "setup",
        appearance: SetupAppearance = SetupAppearance(),
        logo: Data? = nil
    ) throws {
        self.setup = setup
        self.name = name
        self.appearance = appearance
        self.logo = logo.flatMap(SetupLogo.content)
        renderer = try assets.renderer()
    }

    /// Serves one view until its events end or the task is cancelled.
    public func run(_ link: SurfaceLink) async {
        let setup = setup
        await serve(link) { id in
            for await _ in setup.changes() { await self.views.redraw(id) }
            // The set-up has ended: its last screen stays until the view disconnects.
            await self.views.redraw(id)
        }
    }

    /// The app's logo.
    public nonisolated func resource(_ path: String) async throws -> SurfaceContent {
        guard path == SetupPresenter.logoPath, let logo else { throw SurfaceContentMissing() }
        return logo
    }

    package func frame(for view: SurfaceViews<Bool>.View) async throws -> SurfaceFrame? {
        guard view.state else { return nil }
        return try await SetupPresenter.present(
            setup.screen(), appearance, environment: view.environment, content: view.link.content
        ).frame(renderer)
    }

    package func viewOpened(_ id: SurfaceViewID) async {
        await setup.begin()
        views.changeState(of: id) { $0 = true }
        views.redraw(id)
    }

    package func act(on message: SurfaceMessage, from id: SurfaceViewID) async -> FrameSurfaceRedraw {
        guard let event = SetupViewEvent(message) else { return .none }
        let page = await setup.page(for: event)
        await setup.act(on: event)
        if let page { await navigate(to: page, in: id) }
        return .sender
    }

    package func log(_ text: String) { setup.log(text) }
}

/// The data source of a set-up's surface: it provides the current screen and its changes, and performs actions.
package protocol DeviceSetupReading: Sendable {
    /// The screen now.
    func screen() async -> SetupScreen

    /// Returns a signal for every moment when the screen may have changed; ends with the set-up.
    func changes() -> AsyncStream<Void>

    /// Starts the set-up, unless it has started.
    func begin() async

    /// Performs the user's action.
    func act(on event: SetupViewEvent) async

    /// The server's page that an event leads to; `nil` when it leads to none.
    func page(for event: SetupViewEvent) async -> String?

    /// Writes a line to the debug log.
    func log(_ line: String)
}

/// A source of one screen that never changes.
private struct StaticSetup: DeviceSetupReading {
    let still: SetupScreen

    func screen() async -> SetupScreen { still }

    // Nothing ever changes.
    func changes() -> AsyncStream<Void> { AsyncStream { $0.finish() } }

    func begin() async {}

    func act(on event: SetupViewEvent) async {}

    func page(for event: SetupViewEvent) async -> String? { nil }

    func log(_ line: String) {}
}

/// The validation of the app's logo.
enum SetupLogo {
    static let maximumBytes = 1 << 20

    /// Returns the logo as a page may load it; `nil` unless it is PNG, JPEG, GIF or SVG of at most 1 MiB.
    static func content(_ data: Data) -> SurfaceContent? {
        guard data.count <= maximumBytes else { return nil }
        let types: [([UInt8], String)] = [
            ([0x89, 0x50, 0x4E, 0x47], "image/png"), ([0xFF, 0xD8, 0xFF], "image/jpeg"),
            ([0x47, 0x49, 0x46, 0x38], "image/gif"), (Array("<svg".utf8), "image/svg+xml"),
            (Array("<?xml".utf8), "image/svg+xml"),
        ]
        guard let type = types.first(where: { data.starts(with: $0.0) })?.1 else { return nil }
        return SurfaceContent(mediaType: type, data: data)
    }
}

import Foundation
import InlayBrowser
@_spi(Inlay) import InlaySurface
import InlayWebHost
@_spi(Inlay) import InlayWire

// An app with one ad placement: the real SDK, browser host and surface, on a transport that the test controls.
// Reads commands as lines of JSON from standard input, writes reports as lines of JSON to standard output, and ends
// with its input. Arguments: the format, and the size as `320x50`; both are optional.

let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ads-app-\(UUID().uuidString)")
defer { try? FileManager.default.removeItem(at: folder) }

let arguments = CommandLine.arguments.dropFirst()
let app = try await TestApp.start(
    in: folder, format: arguments.first.flatMap(AdFormat.init), size: arguments.dropFirst().first)
var configuration = BrowserHost.Configuration()
configuration.shell = AppPage.file
let host = try await BrowserHost.start(
    surfaces: [app.surface], configuration: configuration, media: app.session.media)
Report.line([
    "surface": .string(host.address(of: app.surface.name).absoluteString),
    "app": .string(host.address.absoluteString),
])

await withTaskGroup(of: Void.self) { group in
    group.addTask { await host.run() }
    group.addTask { await app.reportEvents() }
    await app.runCommands()
    await host.stop()
    group.cancelAll()
}

import Foundation
import InlayBrowser
@_spi(Inlay) import InlaySurface
import InlayWebHost
@_spi(Inlay) import InlayWire
import Testing

/// Tests of a surface in Chromium, from the request for the page to a patch on the screen.
@Suite(.timeLimit(.minutes(5))) struct RealBrowserTests {
    /// A surface with one picture, whose name is the color scheme and layout direction that the page reported.
    struct Picture: Surface {
        let name = "cards/home"
        let assets = SurfaceAssets.engine

        func run(_ link: SurfaceLink) async {
            let device = link.environment
            let file = "\(device.colorScheme.rawValue)-\(device.layoutDirection.rawValue)"
            let frame = SurfaceFrame(
                root: .init(title: "A title", locale: "en"),
                regions: [
                    .init(
                        key: "line", slot: .list,
                        html: #"<p><img alt="" src="media?u=https%3A%2F%2Fcdn.example%2F\#(file).svg"></p>"#)
                ])
            await link.send(
                SurfaceMessage(
                    surface: name, kind: SurfaceMessage.Kind.patch, id: "1",
                    payload: SurfacePatch.between(nil, frame).payload))
            for await _ in link.events {}
        }
    }

    private static let browser = "/usr/bin/chromium"

    // The browser requests the picture only after the page was served, its script ran under the policy, the socket
    // was accepted with the browser's own Host and Origin, and the patch was applied.
    @Test
    func `a real browser shows what the surface sends and breaks no rule of the policy`() async throws {
        let (requests, request) = AsyncStream.makeStream(of: URL.self)
        let media: WebContent.Loader = { url in
            request.yield(url)
            return WebContent(mediaType: "image/svg+xml", data: Data("<svg/>".utf8))
        }
        try await RunningHost.with([Picture()], media: media) { host in
            let browser = try RunningBrowser(program: Self.browser, address: host.host.address)
            let picture = await requests.first { _ in true }
            let log = browser.end()
            #expect(picture?.absoluteString == "https://cdn.example/light-ltr.svg")
            #expect(!log.contains("Content Security Policy"), "\(log)")
        }
    }

    /// A browser process that shows an address until `end()`.
    private struct RunningBrowser {
        private let process = Process()
        private let profile = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        private var log: URL { profile.appendingPathComponent("log") }

        init(program: String, address: URL) throws {
            try FileManager.default.createDirectory(at: profile, withIntermediateDirectories: true)
            try Data().write(to: log)
            process.executableURL = URL(fileURLWithPath: program)
            process.arguments = [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
                "--no-first-run",
                "--disable-background-networking", "--remote-debugging-port=0",
                "--user-data-dir=\(profile.path)",
                address.absoluteString,
            ]
            process.standardOutput = FileHandle.nullDevice
            process.standardError = try FileHandle(forWritingTo: log)
            try process.run()
        }

        /// Ends the browser and returns its log, which includes the page's console.
        func end() -> String {
            process.terminate()
            process.waitUntilExit()
            defer { try? FileManager.default.removeItem(at: profile) }
            return (try? String(contentsOf: log, encoding: .utf8)) ?? ""
        }
    }
}

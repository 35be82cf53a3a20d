import Foundation
import InlayCore
import InlayNIO
import InlayWire

/// Chromium's debugging protocol, as much of it as an eye needs.
struct DevTools: Sendable {
    let address: URL
    let transport: NIOTransport
    /// Where this eye's readers run: with one world for two eyes, neither would see every frame.
    private let world = "inlay-eye-\(UUID().uuidString)"

    init(address: URL, transport: NIOTransport) { (self.address, self.transport) = (address, transport) }

    /// Waits for a page, or a frame in a page, that has a square. The browser may be started later than the device.
    func pageWithPatch(say: (String) -> Void) async throws -> DevToolsPage {
        var isThere = true
        while true {
            let targets = try? await targets()
            if targets == nil, isThere { say("eye: no browser at \(address.absoluteString) yet") }
            isThere = targets != nil
            for target in targets ?? [] {
                guard var page = try? await DevToolsPage(target, world: world, transport) else { continue }
                // A page may be left while it is looked at.
                if (try? await page.findPatch()) == true { return page }
                await page.close()
            }
            try await Task.sleep(for: .milliseconds(250))
        }
    }

    private struct Listed: Decodable {
        let type: String
        let url: String
        let webSocketDebuggerUrl: String?
    }

    /// Pages and the frames that have a process of their own.
    private func targets() async throws -> [DevToolsPage.Target] {
        let answer = try await transport.send(
            TransportRequest(url: address.appendingPathComponent("json/list"), timeout: .seconds(5)))
        return try JSONDecoder().decode([Listed].self, from: answer.body).compactMap { listed in
            guard ["page", "iframe"].contains(listed.type), let text = listed.webSocketDebuggerUrl,
                let socket = URL(string: text)
            else { return nil }
            return DevToolsPage.Target(address: listed.url, socket: socket)
        }
    }
}

/// What the square showed from a moment on: milliseconds of the page's clock, light of 0 … 1.
struct PatchSample: Sendable {
    let millis: Double
    let light: Double
}

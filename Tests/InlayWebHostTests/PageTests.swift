import Foundation
import InlayCore
@_spi(Inlay) import InlaySurface
import InlayTesting
@_spi(Inlay) import InlayWebHost
import Testing

@Suite struct PageTests {
    private let pages = SurfacePages(
        surfaces: ["cards/home": EchoSurface()], title: "Harbor",
        media: {
            WebContent(mediaType: $0.pathExtension == "png" ? "image/png" : "text/html", data: Data([1]))
        })

    private func reply(_ target: String, method: String = "GET") async -> WebReply {
        await pages.reply(to: WebRequest(method: method, target: target, origin: "inlay://surface"))
    }

    @Test func `a page and its files need the secret in their path`() async throws {
        let page = await reply(pages.addresses.page(of: "cards/home"))
        #expect(page.status == 200 && page.mediaType == "text/html; charset=utf-8")
        #expect(String(decoding: page.body, as: UTF8.self).contains("<title>Harbor</title>"))
        #expect(
            await reply(pages.addresses.page(of: "cards/home") + "surface.js").mediaType.hasPrefix(
                "text/javascript"))
        #expect(await reply("/cards/home/").status == 404)
        #expect(await reply("/\(String(repeating: "0", count: 64))/cards/home/").status == 404)
        #expect(await reply(pages.addresses.prefix + "cards/other/").status == 404)
    }

    @Test func `the token of content opens neither pages nor pictures`() async {
        let content = pages.addresses.content(of: "cards/home")
        #expect(await reply(content).status == 404)
        #expect(await reply(content + "surface.js").status == 404)
        #expect(await reply(content + "media?u=https%3A%2F%2Fwww.example.com%2Fa.png").status == 404)
    }

    @Test func `a page gets only images from other servers`() async {
        let media = pages.addresses.page(of: "cards/home") + "media?u=https%3A%2F%2Fwww.example.com%2F"
        #expect(await reply(media + "a.png").status == 200)
        #expect(await reply(media + "a.html").status == 415)
        #expect(
            await reply(pages.addresses.page(of: "cards/home") + "media?u=file%3A%2F%2F%2Fa.png").status
                == 404)
    }

    @Test func `a picture is fetched byte for byte from its address`() throws {
        // https://cdn.example/Ærø%20e.png?z={a}|1
        let written = "https%3A%2F%2Fcdn.example%2F%C3%86r%C3%B8%2520e.png%3Fz%3D%7Ba%7D%7C1"
        let target = pages.addresses.target(of: pages.addresses.page(of: "cards/home") + "media?u=" + written)
        let called = try #require(URL(string: "https://cdn.example/%C3%86r%C3%B8%20e.png?z=%7Ba%7D%7C1"))
        #expect(target == .media(called))
    }

    @Test(arguments: ["/..%2f", "/%2e%2e/", "/a%5cb", "/%00"])
    func `an address that leaves its folder is refused`(_ path: String) async {
        #expect(pages.addresses.target(of: String(pages.addresses.prefix.dropLast()) + path) == .nothing)
    }

    @Test func `content is of the surface with the longest name, and every slash separates`() {
        let addresses = SurfaceAddresses(["cards": .engine, "cards/home": .engine])
        let content = addresses.content(of: "cards")
        #expect(
            addresses.target(of: content + "home/a.svg") == .content(surface: "cards/home", path: "a.svg"))
        #expect(addresses.target(of: content + "home.svg") == .content(surface: "cards", path: "home.svg"))
        #expect(
            addresses.target(of: content + "a/\u{301}b.svg")
                == .content(surface: "cards", path: "a/\u{301}b.svg"))
    }

    @Test func `media need a response with status 200 and a content type`() async throws {
        let address = try #require(URL(string: "https://www.example.com/a.png"))
        let transport = ScriptedTransport()
        for (answer, isMedia) in [
            (TransportResponse(status: 200, headers: ["content-type": "image/png"], body: Data([1])), true),
            (TransportResponse(status: 404, headers: ["content-type": "image/png"], body: Data([1])), false),
            (TransportResponse(status: 200, headers: [:], body: Data([1])), false),
        ] {
            transport.always("/a.png", .response(answer))
            let content = try? await transport.media(address)
            #expect((content?.data == Data([1])) == isMedia)
        }
    }

    @Test func `other methods than GET are refused`() async {
        #expect(await reply(pages.addresses.page(of: "cards/home"), method: "POST").status == 405)
    }
}

import Foundation
import Testing

@_spi(Inlay) @testable import InlayWebHost

@MainActor @Suite struct NavigationTests {
    let view = ScriptedView(WebHost(EchoSurface()))

    private var content: String { WebHost.origin + view.host.pages.addresses.content(of: "cards/home") }

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    private func load(_ address: String) async -> Int {
        let target = String(address.dropFirst(WebHost.origin.count).prefix { $0 != "#" })
        return await view.host.reply(to: WebRequest(target: target, origin: WebHost.origin)).status
    }

    @Test func `the page may load itself, and is shown in the view itself only`() throws {
        let page = view.host.address
        let place = try url(page.absoluteString + "#place")
        #expect(view.host.mayLoad(page) && view.host.mayLoad(place))
        #expect(view.host.mayShow(page, inMainFrame: true) && !view.host.mayShow(page, inMainFrame: false))
    }

    @Test func `a document of the content is shown in frames only`() async throws {
        let document = try url(content + "a%20page.html#part")
        #expect(view.host.mayLoad(document))
        #expect(!view.host.mayShow(document, inMainFrame: false))
        #expect(await load(document.absoluteString) == 200)
        #expect(
            view.host.mayShow(document, inMainFrame: false) && !view.host.mayShow(document, inMainFrame: true)
        )
    }

    @Test func `a picture of the content is not shown as a document`() async throws {
        for address in [content + "picture.svg", content + "picture.svg?|", content + "./picture.svg"] {
            #expect(await load(address) == (address.contains("./") ? 404 : 200))
            #expect(!view.host.mayShow(try url(address), inMainFrame: false))
        }
    }

    @Test(arguments: [
        "https://www.example.com/tickets?x=1#y", "javascript:alert(1)", "file:///etc/passwd",
        "inlay://surface/else",
        "inlay://elsewhere/", "data:text/html,x", "about:blank",
    ])
    func `no other address is loaded or shown, and none of them is opened`(_ text: String) throws {
        let address = try url(text)
        #expect(!view.host.mayLoad(address))
        #expect(
            !view.host.mayShow(address, inMainFrame: true) && !view.host.mayShow(address, inMainFrame: false))
        #expect(view.opened.isEmpty)
    }

    @Test func `an inline document (srcdoc) is shown in frames only`() throws {
        let inside = try url("about:srcdoc")
        #expect(view.host.mayLoad(inside) && view.host.mayShow(inside, inMainFrame: false))
        #expect(!view.host.mayShow(inside, inMainFrame: true))
    }

    @Test func `a window that the user asked for opens outside`() {
        view.host.openOutside("https://www.example.com/tickets?x=1#y")
        #expect(view.opened.map(\.absoluteString) == ["https://www.example.com/tickets?x=1#y"])
    }

    @Test func `a window with a half-encoded address opens it byte for byte`() {
        view.host.openOutside("https://www.example.com/?x=%20y&z={o}|1")
        view.host.openOutside("mailto:a@example.com?subject=%20{o}")
        #expect(
            view.opened.map(\.absoluteString) == [
                "https://www.example.com/?x=%20y&z=%7Bo%7D%7C1", "mailto:a@example.com?subject=%20%7Bo%7D",
            ])
    }

    @Test(arguments: [
        "javascript:alert(1)", "file:///etc/passwd", "inlay://surface/else", "data:text/html,x",
    ])
    func `a window with an address that is not of the web does not open`(_ text: String) {
        view.host.openOutside(text)
        #expect(view.opened.isEmpty)
    }
}

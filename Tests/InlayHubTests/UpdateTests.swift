import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) @testable import InlayHub
import InlayHubTesting
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayTrust
@_spi(Inlay) import InlayWire
import Testing

@Suite struct UpdateTests {
    @Test func `the first version is fetched and verified without a call of the app`() async throws {
        let fixture = try await HubFixture.make()
        #expect(!fixture.hub.state.isReady && fixture.hub.state.version == nil)
        try fixture.publish(.harbor(1))
        try fixture.start()
        try await fixture.untilVersion(1)
        #expect(fixture.hub.state.isReady && fixture.hub.state.freshness == .fresh)
        let content = try fixture.hub.content
        #expect(content.index.hubs.elements.map(\.id) == ["sea", "land"])
        let page = try content.file("articles/herring/index.html")
        #expect(String(decoding: page, as: UTF8.self).hasSuffix("v1"))
    }

    @Test func `a version published later reaches the unchanged app`() async throws {
        let fixture = try await HubFixture.ready()
        try fixture.publish(.harbor(2))
        try await fixture.hub.update()
        let page = try fixture.hub.content.file("articles/herring/index.html")
        #expect(String(decoding: page, as: UTF8.self).hasSuffix("v2"))
        #expect(fixture.hub.state.version == 2)
    }

    @Test func `a piece at the minimum rate is not cut off`() async throws {
        let fixture = try await HubFixture.ready()
        var source = TestSource.harbor(2)
        source.index.files = ["assets/film.mp4"]
        source.files["assets/film.mp4"] = Data(repeating: 7, count: HubTransportFetcher.pieceBytes)
        try fixture.publish(source)
        let path = fixture.publisher.path(of: "assets/film.mp4")
        fixture.server.hold(path)
        let update = fixture.session.work.start { try? await fixture.hub.update() }
        try await fixture.server.untilHeld(path)
        try await fixture.clock.untilSleeping(for: HubLimits().time(for: HubTransportFetcher.pieceBytes))
        fixture.clock.advance(
            by: .seconds(HubTransportFetcher.pieceBytes / HubLimits().minimumBytesPerSecond))
        fixture.server.release(path)
        _ = await update.value
        #expect(fixture.hub.state.version == 2)
    }

    @Test func `hubs, channels and articles keep their own tags`() async throws {
        let fixture = try await HubFixture.ready()
        let content = try fixture.hub.content
        #expect(content.hub("sea")?.tags == ["sea", "boats"])
        #expect(content.channel("fish")?.tags == ["fish"])
        #expect(content.article("night-ferry")?.tags == ["boats", "night"])
        #expect(content.tags(of: HubReference(.channel, "paths")) == ["bikes"])
        #expect(content.channels(of: try #require(content.hub("sea"))).map(\.id) == ["ferries", "fish"])
        #expect(content.articles(of: try #require(content.channel("ferries"))).count == 3)
    }

    @Test func `an update fetches only the changed files`() async throws {
        var first = TestSource.harbor(1)
        first.files = first.files.mapValues { _ in Data(repeating: 1, count: 10_000) }
        first.index.files = ["assets/big.svg"]
        first.files["assets/big.svg"] = Data(repeating: 2, count: 3 << 20)
        let fixture = try await HubFixture.ready(first)
        var second = first
        second.index.version = 2
        second.files["articles/herring/index.html"] = Data(repeating: 3, count: 10_000)
        try fixture.publish(second)
        let before = fixture.contentRequests.count
        try await fixture.hub.update()
        let fetched = fixture.contentRequests.dropFirst(before).filter { $0.contains("/targets/") }
        #expect(fetched.count == 2)
        #expect(fetched.contains(fixture.publisher.path(of: "articles/herring/index.html")))
        #expect(fetched.contains(fixture.publisher.path(of: HubIndex.target)))
    }

    @Test func `without a new version an update fetches only metadata`() async throws {
        let fixture = try await HubFixture.ready()
        let before = fixture.contentRequests.count
        try await fixture.hub.update()
        #expect(fixture.contentRequests.dropFirst(before).allSatisfy { $0.contains("/metadata/") })
    }

    @Test func `the next update fetches only the files that an interrupted one lacks`() async throws {
        let fixture = try await HubFixture.make()
        try fixture.publish(.harbor(1))
        let last = fixture.publisher.path(of: "articles/short-path/index.html")
        fixture.server.next(last, .failure(.cut("by the test")))
        try fixture.start()
        try await fixture.events.until { if case .updateFailed = $0 { true } else { false } }
        #expect(!fixture.hub.state.isReady)
        let before = fixture.contentRequests.count
        try await fixture.hub.update()
        #expect(fixture.hub.state.isReady)
        let again = fixture.contentRequests.dropFirst(before).filter { $0.contains("/targets/") }
        #expect(Array(again) == [last])
    }

    @Test func `an index in parts is read as one`() async throws {
        var source = TestSource.harbor(1)
        let part = HubIndexPart(articles: source.index.articles.elements)
        source.index.articles = LossyArray([])
        source.index.parts = ["index/part-1.json"]
        source.files["index/part-1.json"] = try JSONEncoder().encode(part)
        let fixture = try await HubFixture.ready(source)
        #expect(try fixture.hub.content.article("herring")?.title == "About herring")
        let again = try await fixture.restarted()
        try again.start()
        #expect(try again.hub.content.article("herring")?.title == "About herring")
    }

    @Test func `the active version is ready at once after a restart, without a server`() async throws {
        let fixture = try await HubFixture.ready()
        let again = try await fixture.restarted()
        try again.start()
        #expect(again.hub.state.isReady && again.hub.state.version == 1)
        #expect(try again.hub.content.file("articles/herring/index.html").isEmpty == false)
    }

    @Test func `a change that the server announces is fetched at once`() async throws {
        let fixture = try await HubFixture.make(socket: true)
        try fixture.publish(.harbor(1))
        try fixture.start()
        try await fixture.untilVersion(1)
        let socket = try await fixture.server.untilSocket()
        try await socket.untilSubscribed([LiveMessage.hubTopic(source: "harbor")])
        try fixture.publish(.harbor(2))
        socket.push(.changed(topic: LiveMessage.hubTopic(source: "harbor"), version: 9))
        try await fixture.untilVersion(2)
    }

    @Test func `without a live connection the hub polls the server`() async throws {
        let fixture = try await HubFixture.ready()
        try fixture.publish(.harbor(2))
        try await fixture.clock.untilSleeping(for: .seconds(900))
        fixture.clock.advance(by: .seconds(900))
        try await fixture.untilVersion(2)
    }

    @Test func `the requests of two users are the same, and name neither`() async throws {
        var requests: [[String]] = []
        for user in ["alice", "bob"] {
            let publisher = try TestPublisher()
            let fixture = try await HubFixture.make(publisher: publisher, user: user)
            try fixture.activate("reader-of-\(user)", tags: [user])
            try fixture.publish(.harbor(1))
            try fixture.start()
            try await fixture.untilVersion(1)
            let mine = fixture.server.requests.filter { $0.url.path.hasPrefix("/v1/hub/") }
            for request in mine {
                #expect(request.headers["Authorization"] == nil && request.body == nil)
                #expect(!"\(request.url)\(request.headers)".contains(user))
            }
            // Each publisher has its own keys, so that the hashes at the beginning of the file names differ.
            requests.append(mine.map { "\($0.method) \($0.headers) \($0.url.lastPathComponent.suffix(12))" })
        }
        #expect(requests[0].sorted() == requests[1].sorted())
    }

    @Test func `two apps of one server show each their own source`() async throws {
        let server = ScriptedTransport()
        let other = try TestPublisher(source: "forest")
        let mine = try await HubFixture.make(server: server)
        let theirs = try await HubFixture.make(server: server, publisher: other)
        try mine.publish(.harbor(1))
        try theirs.publish(TestSource(source: "forest", hubs: [HubPage(id: "wood", title: "Wood")]))
        try mine.start()
        try theirs.start()
        try await mine.untilVersion(1)
        try await theirs.untilVersion(1)
        #expect(try mine.hub.content.index.hubs.elements.map(\.id) == ["sea", "land"])
        #expect(try theirs.hub.content.index.hubs.elements.map(\.id) == ["wood"])
    }

    @Test func `a source without a hub is an error and never ready`() async throws {
        let fixture = try await HubFixture.make()
        try fixture.publish(TestSource())
        try fixture.start()
        await #expect(throws: HubError.noHub) { try await fixture.hub.update() }
        #expect(!fixture.hub.state.isReady)
        let shown = try fixture.hub.present()
        await #expect(throws: HubError.noHub) { try await shown.shown() }
    }

    @Test func `calls before the start fail with an error, and a second start changes nothing`() async throws
    {
        let fixture = try await HubFixture.make()
        #expect(throws: HubError.notStarted) { try fixture.hub.present() }
        #expect(throws: HubError.notStarted) { try fixture.hub.present(uri: "hub:hub/sea") }
        #expect(throws: HubError.notStarted) { try fixture.hub.content }
        await #expect(throws: HubError.notStarted) { try await fixture.hub.update() }
        try fixture.publish(.harbor(1))
        try fixture.activate("a")
        try fixture.start()
        try await fixture.untilVersion(1)
        let before = fixture.contentRequests.count
        // A partial file, as of a running download.
        let part = fixture.store.appendingPathComponent("incoming/part")
        try Data("part".utf8).write(to: part)
        try fixture.start { $0.settings.contentSource = .externalAllowed }
        #expect(fixture.hub.settings.contentSource == .localOnly)
        #expect(try fixture.hub.users.active == "a")
        #expect(FileManager.default.fileExists(atPath: part.path))
        // A second update would send its first request before this metric is stored and sent.
        try fixture.hub.present().dismiss()
        _ = try await fixture.untilMetrics(["hub-dismissed"])
        #expect(fixture.contentRequests.count == before)
    }

    @Test func `a source that is no id is refused with the remedy`() async throws {
        let fixture = try await HubFixture.make()
        let configuration = HubConfiguration(source: "../up", trust: .root(fixture.publisher.root))
        #expect { try fixture.hub.start(configuration) } throws: { error in
            guard let error = error as? HubError, error.code == .invalidConfiguration,
                let text = error.explanation
            else { return false }
            return text.contains("Workbench")
        }
    }

    @Test func `content is not fetched over plain http, except from this machine`() async throws {
        let fixture = try await HubFixture.make(url: "http://hub.test")
        try fixture.publish(.harbor(1))
        try fixture.start()
        await #expect(throws: HubError.self) { try await fixture.hub.update() }
        #expect(fixture.contentRequests.isEmpty && !fixture.hub.state.isReady)
        let here = try await HubFixture.make(url: "http://127.0.0.1:8080")
        try here.publish(.harbor(1))
        try here.start()
        try await here.untilVersion(1)
    }

    @Test func `an old version is stored until the presentation that shows it is dismissed`() async throws {
        let fixture = try await HubFixture.ready()
        let shown = try fixture.hub.present()
        let old = try fixture.location(of: "articles/herring/index.html")
        try fixture.publish(.harbor(2))
        try await fixture.hub.update()
        #expect(
            String(decoding: try shown.file("articles/herring/index.html"), as: UTF8.self).hasSuffix("v1"))
        try shown.dismiss()
        try await eventually { !FileManager.default.fileExists(atPath: old.path) }
        #expect(try fixture.hub.content.file("articles/herring/index.html").isEmpty == false)
    }

    @Test func `a version over the limits of files or bytes is refused`() async throws {
        let fixture = try await HubFixture.make()
        try fixture.publish(.harbor(1))
        try fixture.start { $0.limits.files = 3 }
        await #expect(throws: HubError.self) { try await fixture.hub.update() }
        let small = try await HubFixture.make()
        try small.publish(.harbor(1))
        try small.start { $0.limits.fileBytes = 20 }
        await #expect(throws: HubError.self) { try await small.hub.update() }
        #expect(!fixture.hub.state.isReady && !small.hub.state.isReady)
    }

    @Test
    func `an update after the content folder was removed stores the version again`()
        async throws
    {
        let fixture = try await HubFixture.ready()
        try FileManager.default.removeItem(at: fixture.store)
        try await fixture.hub.update()
        let again = try await fixture.restarted()
        try again.start()
        #expect(again.hub.state.isReady && again.hub.state.version == 1)
        #expect(try again.hub.content.file("articles/herring/index.html").isEmpty == false)
    }
}

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
        let it = try await HubFixture.make()
        #expect(!it.hub.state.isReady && it.hub.state.version == nil)
        try it.publish(.harbor(1))
        try it.start()
        try await it.untilVersion(1)
        #expect(it.hub.state.isReady && it.hub.state.freshness == .fresh)
        let content = try it.hub.content
        #expect(content.index.hubs.elements.map(\.id) == ["sea", "land"])
        let page = try content.file("articles/herring/index.html")
        #expect(String(decoding: page, as: UTF8.self).hasSuffix("v1"))
    }

    @Test func `a version published later reaches the unchanged app`() async throws {
        let it = try await HubFixture.ready()
        try it.publish(.harbor(2))
        try await it.hub.update()
        let page = try it.hub.content.file("articles/herring/index.html")
        #expect(String(decoding: page, as: UTF8.self).hasSuffix("v2"))
        #expect(it.hub.state.version == 2)
    }

    @Test func `a piece at the minimum rate is not cut off`() async throws {
        let it = try await HubFixture.ready()
        var source = TestSource.harbor(2)
        source.index.files = ["assets/film.mp4"]
        source.files["assets/film.mp4"] = Data(repeating: 7, count: HubTransportFetcher.pieceBytes)
        try it.publish(source)
        let path = it.publisher.path(of: "assets/film.mp4")
        it.server.hold(path)
        let update = it.session.work.start { try? await it.hub.update() }
        try await it.server.untilHeld(path)
        try await it.clock.untilSleeping(for: HubLimits().time(for: HubTransportFetcher.pieceBytes))
        it.clock.advance(by: .seconds(HubTransportFetcher.pieceBytes / HubLimits().minimumBytesPerSecond))
        it.server.release(path)
        _ = await update.value
        #expect(it.hub.state.version == 2)
    }

    @Test func `hubs, channels and articles keep their own tags`() async throws {
        let it = try await HubFixture.ready()
        let content = try it.hub.content
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
        let it = try await HubFixture.ready(first)
        var second = first
        second.index.version = 2
        second.files["articles/herring/index.html"] = Data(repeating: 3, count: 10_000)
        try it.publish(second)
        let before = it.contentRequests.count
        try await it.hub.update()
        let fetched = it.contentRequests.dropFirst(before).filter { $0.contains("/targets/") }
        #expect(fetched.count == 2)
        #expect(fetched.contains(it.publisher.path(of: "articles/herring/index.html")))
        #expect(fetched.contains(it.publisher.path(of: HubIndex.target)))
    }

    @Test func `without a new version an update fetches only metadata`() async throws {
        let it = try await HubFixture.ready()
        let before = it.contentRequests.count
        try await it.hub.update()
        #expect(it.contentRequests.dropFirst(before).allSatisfy { $0.contains("/metadata/") })
    }

    @Test func `the next update fetches only the files that an interrupted one lacks`() async throws {
        let it = try await HubFixture.make()
        try it.publish(.harbor(1))
        let last = it.publisher.path(of: "articles/short-path/index.html")
        it.server.next(last, .failure(.cut("by the test")))
        try it.start()
        try await it.events.until { if case .updateFailed = $0 { true } else { false } }
        #expect(!it.hub.state.isReady)
        let before = it.contentRequests.count
        try await it.hub.update()
        #expect(it.hub.state.isReady)
        let again = it.contentRequests.dropFirst(before).filter { $0.contains("/targets/") }
        #expect(Array(again) == [last])
    }

    @Test func `an index in parts is read as one`() async throws {
        var source = TestSource.harbor(1)
        let part = HubIndexPart(articles: source.index.articles.elements)
        source.index.articles = LossyArray([])
        source.index.parts = ["index/part-1.json"]
        source.files["index/part-1.json"] = try JSONEncoder().encode(part)
        let it = try await HubFixture.ready(source)
        #expect(try it.hub.content.article("herring")?.title == "About herring")
        let again = try await it.restarted()
        try again.start()
        #expect(try again.hub.content.article("herring")?.title == "About herring")
    }

    @Test func `the active version is ready at once after a restart, without a server`() async throws {
        let it = try await HubFixture.ready()
        let again = try await it.restarted()
        try again.start()
        #expect(again.hub.state.isReady && again.hub.state.version == 1)
        #expect(try again.hub.content.file("articles/herring/index.html").isEmpty == false)
    }

    @Test func `a change that the server announces is fetched at once`() async throws {
        let it = try await HubFixture.make(socket: true)
        try it.publish(.harbor(1))
        try it.start()
        try await it.untilVersion(1)
        let socket = try await it.server.untilSocket()
        try await socket.untilSubscribed([LiveMessage.hubTopic(source: "harbor")])
        try it.publish(.harbor(2))
        socket.push(.changed(topic: LiveMessage.hubTopic(source: "harbor"), version: 9))
        try await it.untilVersion(2)
    }

    @Test func `without a live connection the hub polls the server`() async throws {
        let it = try await HubFixture.ready()
        try it.publish(.harbor(2))
        try await it.clock.untilSleeping(for: .seconds(900))
        it.clock.advance(by: .seconds(900))
        try await it.untilVersion(2)
    }

    @Test func `the requests of two users are the same, and name neither`() async throws {
        var requests: [[String]] = []
        for user in ["alice", "bob"] {
            let publisher = try TestPublisher()
            let it = try await HubFixture.make(publisher: publisher, user: user)
            try it.activate("reader-of-\(user)", tags: [user])
            try it.publish(.harbor(1))
            try it.start()
            try await it.untilVersion(1)
            let mine = it.server.requests.filter { $0.url.path.hasPrefix("/v1/hub/") }
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
        let it = try await HubFixture.make()
        try it.publish(TestSource())
        try it.start()
        await #expect(throws: HubError.noHub) { try await it.hub.update() }
        #expect(!it.hub.state.isReady)
        let shown = try it.hub.present()
        await #expect(throws: HubError.noHub) { try await shown.shown() }
    }

    @Test func `calls before the start fail with an error, and a second start changes nothing`() async throws
    {
        let it = try await HubFixture.make()
        #expect(throws: HubError.notStarted) { try it.hub.present() }
        #expect(throws: HubError.notStarted) { try it.hub.present(uri: "hub:hub/sea") }
        #expect(throws: HubError.notStarted) { try it.hub.content }
        await #expect(throws: HubError.notStarted) { try await it.hub.update() }
        try it.publish(.harbor(1))
        try it.activate("a")
        try it.start()
        try await it.untilVersion(1)
        let before = it.contentRequests.count
        // A partial file, as of a running download.
        let part = it.store.appendingPathComponent("incoming/part")
        try Data("part".utf8).write(to: part)
        try it.start { $0.settings.contentSource = .externalAllowed }
        #expect(it.hub.settings.contentSource == .localOnly)
        #expect(try it.hub.users.active == "a")
        #expect(FileManager.default.fileExists(atPath: part.path))
        // A second update would send its first request before this metric is stored and sent.
        try it.hub.present().dismiss()
        _ = try await it.untilMetrics(["hub-dismissed"])
        #expect(it.contentRequests.count == before)
    }

    @Test func `a source that is no id is refused with the remedy`() async throws {
        let it = try await HubFixture.make()
        let configuration = HubConfiguration(source: "../up", trust: .root(it.publisher.root))
        #expect { try it.hub.start(configuration) } throws: { error in
            guard let error = error as? HubError, error.code == .invalidConfiguration,
                let text = error.explanation
            else { return false }
            return text.contains("Workbench")
        }
    }

    @Test func `content is not fetched over plain http, except from this machine`() async throws {
        let it = try await HubFixture.make(url: "http://hub.test")
        try it.publish(.harbor(1))
        try it.start()
        await #expect(throws: HubError.self) { try await it.hub.update() }
        #expect(it.contentRequests.isEmpty && !it.hub.state.isReady)
        let here = try await HubFixture.make(url: "http://127.0.0.1:8080")
        try here.publish(.harbor(1))
        try here.start()
        try await here.untilVersion(1)
    }

    @Test func `an old version is stored until the presentation that shows it is dismissed`() async throws {
        let it = try await HubFixture.ready()
        let shown = try it.hub.present()
        let old = try it.place(of: "articles/herring/index.html")
        try it.publish(.harbor(2))
        try await it.hub.update()
        #expect(
            String(decoding: try shown.file("articles/herring/index.html"), as: UTF8.self).hasSuffix("v1"))
        try shown.dismiss()
        try await eventually { !FileManager.default.fileExists(atPath: old.path) }
        #expect(try it.hub.content.file("articles/herring/index.html").isEmpty == false)
    }

    @Test func `a version over the limits of files or bytes is refused`() async throws {
        let it = try await HubFixture.make()
        try it.publish(.harbor(1))
        try it.start { $0.limits.files = 3 }
        await #expect(throws: HubError.self) { try await it.hub.update() }
        let small = try await HubFixture.make()
        try small.publish(.harbor(1))
        try small.start { $0.limits.fileBytes = 20 }
        await #expect(throws: HubError.self) { try await small.hub.update() }
        #expect(!it.hub.state.isReady && !small.hub.state.isReady)
    }

    @Test
    func `an update after the content folder was removed stores the version again`()
        async throws
    {
        let it = try await HubFixture.ready()
        try FileManager.default.removeItem(at: it.store)
        try await it.hub.update()
        let again = try await it.restarted()
        try again.start()
        #expect(again.hub.state.isReady && again.hub.state.version == 1)
        #expect(try again.hub.content.file("articles/herring/index.html").isEmpty == false)
    }
}

import Foundation
@_spi(Inlay) import InlayCore
@_spi(Inlay) @testable import InlayHub
import InlayHubTesting
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@Suite struct PresentationTests {
    private let sea = HubReference(.hub, "sea")
    private let land = HubReference(.hub, "land")
    private let ferries = HubReference(.channel, "ferries")
    private let article = HubReference(.article, "first-ferry")

    @Test func `the hub with most of the user's tags is shown, modal or nested`() async throws {
        let fixture = try await HubFixture.ready()
        try fixture.activate("a", tags: ["bikes"])
        for form in [HubPresentation.Form.modal, .nested] {
            let shown = try fixture.hub.present(as: form)
            try await shown.shown()
            #expect(shown.page == land && shown.form == form && shown.state.isDisplayed)
            try shown.dismiss()
        }
    }

    @Test func `without tags or without a user the publisher's first hub is shown`() async throws {
        let fixture = try await HubFixture.ready()
        let nobody = try fixture.hub.present()
        #expect(nobody.page == sea)
        try nobody.dismiss()
        try fixture.activate("a")
        let shown = try fixture.hub.present()
        #expect(shown.page == sea)
        let channel = try #require(shown.content?.channel("ferries"))
        #expect(shown.articles(of: channel).map(\.id) == ["first-ferry", "night-ferry", "old-ferry"])
    }

    @Test func `no match at all shows a default hub`() async throws {
        let fixture = try await HubFixture.ready()
        try fixture.activate("a", tags: ["Boats", "elsewhere"])
        #expect(try fixture.hub.present().page == sea)
    }

    @Test func `tags given to a presentation replace the user's tags for it`()
        async throws
    {
        let fixture = try await HubFixture.ready()
        try fixture.activate("a", tags: ["boats"])
        let other = try fixture.hub.present(tags: ["land"])
        #expect(other.page == land)
        try other.dismiss()
        #expect(try fixture.hub.users.tags(of: "a") == ["boats"])
        let own = try fixture.hub.present(tags: nil)
        #expect(own.page == sea)
        try own.dismiss()
        #expect(try fixture.hub.present(tags: []).page == sea)
    }

    @Test(arguments: ["hub:hub/land", "hub:channel/fish", "hub:article/herring"])
    func `a URI shows its page first, regardless of the user's tags`(uri: String) async throws {
        let fixture = try await HubFixture.ready()
        try fixture.activate("a", tags: ["boats"])
        let shown = try fixture.hub.present(uri: uri)
        #expect(shown.page?.uri == uri && !shown.canGoBack && !shown.canGoForward)
    }

    @Test(arguments: [
        "", "hub:", "hub:hub/none", "hub:article/", "hub:page/sea", "https://x.test/", "sea", "hub:hub/a/b",
    ])
    func `an unknown URI throws and shows nothing`(uri: String) async throws {
        let fixture = try await HubFixture.ready()
        #expect(throws: HubError.unknownAddress(uri)) { try fixture.hub.present(uri: uri) }
        #expect(!fixture.hub.state.isDisplaying && fixture.hub.presentation == nil)
    }

    @Test func `every hub, channel and article of a version can be shown`() async throws {
        let fixture = try await HubFixture.ready()
        let index = try fixture.hub.content.index
        let all =
            index.hubs.elements.map { HubReference(.hub, $0.id) }
            + index.channels.elements.map { HubReference(.channel, $0.id) }
            + index.articles.elements.map { HubReference(.article, $0.id) }
        #expect(all.count == 2 + 3 + 6)
        for page in all {
            let shown = try fixture.hub.present(uri: page.uri)
            #expect(shown.page == page)
            try shown.dismiss()
        }
    }

    @Test func `only one hub is shown at a time, modal or nested`() async throws {
        let fixture = try await HubFixture.ready()
        let first = try fixture.hub.present(as: .nested)
        #expect(throws: HubError.alreadyDisplayed) { try fixture.hub.present(as: .nested) }
        #expect(throws: HubError.alreadyDisplayed) { try fixture.hub.present(as: .modal) }
        #expect(throws: HubError.alreadyDisplayed) { try fixture.hub.present(uri: land.uri) }
        #expect(throws: HubError.alreadyDisplayed) { try fixture.hub.present(again: first) }
        #expect(fixture.hub.presentation === first && first.page == sea)
        try first.dismiss()
        #expect(throws: HubError.notDisplayed) { try first.dismiss() }
        #expect(!fixture.hub.state.isDisplaying && fixture.hub.presentation == nil)
        try fixture.hub.present().dismiss()
    }

    @Test func `back and forward move through the opened pages`() async throws {
        let fixture = try await HubFixture.ready()
        let shown = try fixture.hub.present()
        let states = StreamRecorder(shown.states)
        #expect(!shown.canGoBack && !shown.canGoForward)
        #expect(!shown.goBack() && !shown.goForward() && shown.page == sea)
        try shown.open(ferries)
        #expect(shown.canGoBack && !shown.canGoForward)
        try shown.open(article)
        #expect(shown.goBack() && shown.page == ferries && shown.canGoForward)
        fixture.clock.advance(by: .seconds(1))
        #expect(shown.goBack() && shown.page == sea && !shown.canGoBack)
        fixture.clock.advance(by: .seconds(1))
        #expect(shown.goForward() && shown.page == ferries)
        try shown.open(HubReference(.channel, "fish"))
        #expect(!shown.canGoForward)
        fixture.clock.advance(by: .seconds(1))
        #expect(shown.goBack() && shown.page == ferries)
        try await states.untilNewest { $0.canGoForward && $0.canGoBack }
    }

    @Test func `requests to go back in quick succession count once`() async throws {
        let fixture = try await HubFixture.ready()
        let shown = try fixture.hub.present()
        for page in [ferries, article, HubReference(.article, "night-ferry")] { try shown.open(page) }
        #expect(shown.goBack() && !shown.goBack() && !shown.goForward())
        #expect(shown.page == article)
        fixture.clock.advance(by: .milliseconds(299))
        #expect(!shown.goBack())
        fixture.clock.advance(by: .milliseconds(1))
        #expect(shown.goBack() && shown.page == ferries)
        fixture.clock.set(to: HubFixture.noon + .seconds(-3600))
        #expect(shown.goBack() && shown.page == sea)
    }

    @Test func `a page that was opened after a move can be left at once`() async throws {
        let fixture = try await HubFixture.ready()
        let shown = try fixture.hub.present()
        try shown.open(ferries)
        #expect(shown.goBack() && shown.page == sea)
        try shown.open(article)
        #expect(shown.goBack() && shown.page == sea)
        #expect(!shown.goForward())
    }

    @Test func `a dismissed hub that is presented again shows the reader's last page`() async throws {
        let fixture = try await HubFixture.ready()
        let shown = try fixture.hub.present(as: .nested)
        try shown.open(ferries)
        try shown.open(article)
        try shown.dismiss()
        #expect(!shown.state.isDisplayed && !fixture.hub.state.isDisplaying)
        try fixture.hub.present(again: shown)
        #expect(shown.page == article && shown.canGoBack && fixture.hub.state.isDisplaying)
        #expect(shown.goBack() && shown.page == ferries)
    }

    @Test func `a hub that is presented again shows the newest version without removed pages`() async throws {
        let fixture = try await HubFixture.ready()
        let shown = try fixture.hub.present()
        try shown.open(ferries)
        try shown.open(article)
        try shown.dismiss()
        var source = TestSource.harbor(2)
        source.index.articles.elements.removeAll { $0.id == "first-ferry" }
        source.index.channels.elements[0].articles.removeAll { $0 == "first-ferry" }
        try fixture.publish(source)
        try await fixture.hub.update()
        try fixture.hub.present(again: shown)
        #expect(shown.page == ferries && shown.content?.version == 2)
    }

    @Test func `a dismissed hub without references is freed`() async throws {
        let fixture = try await HubFixture.ready()
        var shown: HubPresentation? = try fixture.hub.present(as: .nested)
        weak let left = shown
        try await shown?.shown()
        try shown?.dismiss()
        shown = nil
        try await eventually { left == nil }
    }

    @Test func `a hub that is released without being dismissed is still on screen`() async throws {
        let fixture = try await HubFixture.ready()
        do { _ = try fixture.hub.present(as: .nested) }
        #expect(throws: HubError.alreadyDisplayed) { try fixture.hub.present() }
        try fixture.hub.presentation?.dismiss()
        _ = try fixture.hub.present()
    }

    @Test func `every page that is reached is reported, with kind, address and title`() async throws {
        let fixture = try await HubFixture.ready()
        let shown = try fixture.hub.present()
        try shown.open(ferries)
        try shown.open(article)
        shown.goBack()
        try await fixture.events.until { _ in contents(fixture).count == 4 }
        #expect(contents(fixture).map(\.kind) == [.hub, .channel, .article, .channel])
        #expect(contents(fixture).map(\.title) == ["The Sea", "Ferries", "About first-ferry", "Ferries"])
        let uri = contents(fixture)[2].uri
        try shown.dismiss()
        #expect(try fixture.hub.present(uri: uri).page == article)
    }

    private func contents(_ fixture: HubFixture) -> [HubContent.Item] {
        fixture.events.elements.compactMap { event in
            guard case .contentChanged(let item) = event else { return nil }
            return item
        }
    }

    @Test func `links of pages stay inside, go to the app, or ask before they leave`() async throws {
        let fixture = try await HubFixture.ready()
        fixture.hub.settings.allowed = try {
            var list = HubAllowList()
            try list.allow(scheme: "harbor")
            return list
        }()
        let shown = try fixture.hub.present()
        #expect(shown.follow("hub:channel/ferries") == .content(ferries) && shown.page == ferries)
        #expect(shown.follow("harbor://checkout?id=1") == .app("harbor://checkout?id=1"))
        try await fixture.events.until {
            if case .appLink("harbor://checkout?id=1") = $0 { true } else { false }
        }
        #expect(shown.follow("https://example.com/") == .ask("https://example.com/"))
        #expect(shown.follow("nobody://1") == .refuse)
        #expect(shown.page == ferries && opened(fixture).isEmpty)
        shown.leave(for: "https://example.com/")
        shown.leave(for: "javascript:alert(1)")
        try await fixture.events.until { if case .openExternal = $0 { true } else { false } }
        #expect(opened(fixture) == ["https://example.com/"] && shown.page == ferries)
    }

    private func opened(_ fixture: HubFixture) -> [String] {
        fixture.events.elements.compactMap { event in
            guard case .openExternal(let address) = event else { return nil }
            return address
        }
    }

    @Test func `a page that asks to be closed closes a modal hub, and only asks the app for a nested one`()
        async throws
    {
        let fixture = try await HubFixture.ready()
        let modal = try fixture.hub.present(as: .modal)
        modal.requestClose()
        #expect(!modal.state.isDisplayed)
        let nested = try fixture.hub.present(as: .nested)
        nested.requestClose()
        try await fixture.events.until {
            if case .closeRequested(let asked) = $0 { asked === nested } else { false }
        }
        #expect(nested.state.isDisplayed && fixture.hub.state.isDisplaying)
    }

    @Test func `reading changes the order of hubs and articles for this user only`() async throws {
        let fixture = try await HubFixture.ready()
        try fixture.activate("walker")
        let first = try fixture.hub.present()
        let channel = try #require(first.content?.channel("ferries"))
        #expect(first.articles(of: channel).map(\.id) == ["first-ferry", "night-ferry", "old-ferry"])
        for _ in 0..<3 {
            try first.open(HubReference(.article, "old-ferry"))
            try first.open(ferries)
        }
        try first.open(HubReference(.article, "long-path"))
        try first.dismiss()
        #expect(try fixture.hub.users.tagCounts(of: "walker").counts == ["old": 3, "bikes": 1])
        let second = try fixture.hub.present()
        #expect(second.page == land)
        #expect(second.articles(of: channel).map(\.id) == ["old-ferry", "first-ferry", "night-ferry"])
        try second.dismiss()
        try fixture.activate("other")
        #expect(try fixture.hub.users.tags(of: "other").isEmpty)
        #expect(try fixture.hub.present().page == sea)
    }

    @Test func `the order of articles does not change during a presentation`() async throws {
        let fixture = try await HubFixture.ready()
        try fixture.activate("a")
        let shown = try fixture.hub.present()
        let channel = try #require(shown.content?.channel("ferries"))
        let before = shown.articles(of: channel).map(\.id)
        try shown.open(HubReference(.article, "old-ferry"))
        #expect(shown.articles(of: channel).map(\.id) == before)
    }

    @Test func `the pages of a hub come only from the version`() async throws {
        let fixture = try await HubFixture.ready { $0.settings.contentSource = .externalAllowed }
        for uri in ["https://evil.test/hub", "http://evil.test/articles/herring/index.html", "//evil.test/"] {
            #expect(throws: HubError.unknownAddress(uri)) { try fixture.hub.present(uri: uri) }
        }
        let shown = try fixture.hub.present()
        #expect(shown.follow("https://evil.test/hub") == .ask("https://evil.test/hub"))
        #expect(shown.page == sea)
        #expect(throws: HubError.unknownFile("https://evil.test/hub")) {
            try shown.file("https://evil.test/hub")
        }
    }

    @Test func `a presentation keeps the appearance that was set when it began`() async throws {
        let fixture = try await HubFixture.ready()
        #expect(fixture.hub.settings.colorScheme == .dark)
        #expect(HubSettings.ColorScheme.allCases == [.dark, .light])
        let dark = try fixture.hub.present()
        fixture.hub.settings.colorScheme = .light
        fixture.hub.settings.showsLogo = false
        #expect(fixture.hub.settings.colorScheme == .light)
        #expect(dark.colorScheme == .dark && dark.showsLogo)
        try dark.dismiss()
        let light = try fixture.hub.present()
        #expect(light.colorScheme == .light && !light.showsLogo)
    }
}

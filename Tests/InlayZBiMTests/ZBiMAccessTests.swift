import Foundation
@_spi(Inlay) import InlayHub
import InlayHubTesting
@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayZBiM

extension ZBiMTests {
    /// The choice of the hub, the URLs that its pages may load, and the effect of a shutdown, by the documented calls.
    @Suite @MainActor struct Access {
        @Test func `a user with two tags gets the hub with both`()
            async throws
        {
            let fixture = try ZBiMFixture()
            try await fixture.ready(
                TestSource(hubs: [
                    HubPage(id: "one", title: "A", tags: ["a"]), HubPage(id: "two", title: "B", tags: ["b"]),
                    HubPage(id: "three", title: "A and B", tags: ["a", "b"]),
                ]))
            for (user, tags, hub) in [
                ("ab", ["a", "b"], "three"), ("b", ["b"], "two"), ("a", ["a"], "one"), ("none", [], "one"),
            ] {
                try fixture.activate(user, tags: tags)
                let end = await fixture.completion { ZBiM.presentHub($0) }
                #expect(end.success && fixture.page == "hub:hub/\(hub)", "\(user)")
                try fixture.presentation?.dismiss()
                try await eventually { !ZBiM.isDisplayingContentHub() }
            }
        }

        @Test
        func `a new user's tags choose the first hub, and without tags all is in the publisher's order`()
            async throws
        {
            let fixture = try ZBiMFixture()
            try await fixture.ready()
            let users = [
                ("tagged", ["land"], "hub:hub/land"), ("none", nil, "hub:hub/sea"),
                ("empty", [], "hub:hub/sea"),
            ]
            for (user, tags, page) in users as [(String, [String]?, String)] {
                try fixture.activate(user, tags: tags)
                let hub = try await fixture.presented()
                #expect(fixture.page == page, "\(user)")
                if tags?.isEmpty != false {
                    let shown = try #require(fixture.presentation)
                    let ferries = try #require(shown.content?.channel("ferries"))
                    #expect(
                        shown.articles(of: ferries).map(\.id) == ["first-ferry", "night-ferry", "old-ferry"])
                }
                try hub.dismiss()
            }
        }

        @Test func `tags given to a presentation choose its hub, and the user's own stay as they were`()
            async throws
        {
            let fixture = try ZBiMFixture()
            try await fixture.ready()
            try fixture.activate("A", tags: ["land"])
            for (tags, page) in [(["sea"], "hub:hub/sea"), (nil, "hub:hub/land")] as [([String]?, String)] {
                let end = await fixture.completion { completion in
                    if let tags {
                        ZBiM.presentHub(withTags: tags, completion: completion)
                    } else {
                        ZBiM.presentHub(completion)
                    }
                }
                #expect(end.success && fixture.page == page)
                #expect(try ZBiM.tags(forUser: "A") == ["land"])
                try fixture.presentation?.dismiss()
                try await eventually { !ZBiM.isDisplayingContentHub() }
            }
        }

        @Test func `each presentation of a disabled hub fails with an error`()
            async throws
        {
            let fixture = try ZBiMFixture()
            var off = TestSource.harbor(1)
            off.policy.isDisabled = true
            try fixture.publish(off)
            ZBiM.start()
            try await eventually { ZBiM.isDisabled() }
            let (view, controller) = (UIView(), UIViewController())
            let ways: [(@escaping ZBiM.Completion) -> Void] = [
                { ZBiM.presentHub($0) },
                { ZBiM.presentHub(withPresentingViewController: controller, completion: $0) },
                { ZBiM.presentHub(withTags: ["sea"], completion: $0) },
                { ZBiM.presentHub(withTags: ["sea"], presentingViewController: controller, completion: $0) },
                { ZBiM.presentHub(withUri: "hub:article/herring", completion: $0) },
                {
                    ZBiM.presentHub(
                        withUri: "hub:channel/fish", presentingViewController: controller, completion: $0)
                },
                {
                    _ = ZBiM.presentHub(
                        withParentView: view, parentViewController: controller, completion: $0)
                },
                {
                    _ = ZBiM.presentHub(
                        withTags: ["sea"], parentView: view, parentViewController: controller, completion: $0)
                },
                {
                    _ = ZBiM.presentHub(
                        withUri: "hub:hub/sea", parentView: view, parentViewController: controller,
                        completion: $0)
                },
            ]
            for mode in ZBiMSyncMode.allCases {
                ZBiM.setSyncMode(mode)
                for (index, present) in ways.enumerated() {
                    let end = await fixture.completion(of: present)
                    #expect(
                        !end.success && end.error?.code == ZBiMError.sdkDisabledState.rawValue,
                        "way \(index), \(mode)")
                    #expect(!ZBiM.isDisplayingContentHub() && view.subviews.isEmpty)
                }
            }
        }

        @Test
        func `the host fetches a whitelisted URL only with its exact query and fragment`()
            async throws
        {
            let fixture = try ZBiMFixture()
            try await fixture.ready()
            ZBiM.setContentSource(.localOnly)
            let listed = ["http://h.test/a?x=1", "https://h.test/b#s"]
            for address in listed { ZBiM.whitelistURL(try #require(URL(string: address))) }
            ZBiM.whitelistDomainName("cdn.h.test")
            let end = await fixture.completion {
                ZBiM.presentHub(withUri: "hub:article/herring", completion: $0)
            }
            #expect(end.success)
            let surface = try HubSurface(try #require(fixture.presentation))
            let rules = try #require(
                try await surface.resource("articles/herring/index.html").rules as? FrameRules)
            #expect(rules.addresses == listed)
            // The policy contains the whole domain but no single URL, because a policy cannot compare queries.
            let policy = rules.policy(base: "http://127.0.0.1:1/c/")
            #expect(policy.contains("https://cdn.h.test") && !policy.contains("//h.test"))
            for address in listed { #expect(await surface.allowsRequest(to: address), "\(address)") }
            for address in [
                "http://h.test/a", "http://h.test/a?x=2", "http://h.test/a?x=1&y=2", "http://h.test/a?x=1#s",
                "https://h.test/b", "https://h.test/b#t", "https://h.test/a?x=1", "https://cdn.h.test/", "",
            ] { #expect(await !surface.allowsRequest(to: address), "\(address)") }
            // With external content allowed, pages load URLs themselves, and the host fetches nothing for them.
            try fixture.presentation?.dismiss()
            ZBiM.setContentSource(.externalAllowed)
            _ = await fixture.completion { ZBiM.presentHub($0) }
            let open = try HubSurface(try #require(fixture.presentation))
            #expect(await !open.allowsRequest(to: listed[0]))
        }
    }
}

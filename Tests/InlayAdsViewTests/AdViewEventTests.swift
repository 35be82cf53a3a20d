@_spi(Inlay) import InlayWire
import Testing

@_spi(Inlay) @testable import InlayAdsView
@_spi(Inlay) @testable import InlaySurface

/// The events of an ad that a page may send.
@Suite struct AdViewEventTests {
    private func read(_ payload: JSONValue, kind: String = "event") -> AdViewEvent? {
        AdViewEvent.read(SurfaceMessage(surface: "ads", kind: kind, id: "1", payload: payload))?.event
    }

    private func event(_ name: String, _ more: [String: JSONValue] = [:]) -> AdViewEvent? {
        read(.object(["name": .string(name), "ad": "ad-1"].merging(more) { _, new in new }))
    }

    @Test func `each event is read with its values`() {
        #expect(event("ad-rendered") == .rendered)
        #expect(event("ad-viewable") == .viewable)
        #expect(event("ad-close") == .close)
        #expect(event("ad-card") == .card && event("ad-icon") == .icon)
        #expect(event("ad-failed", ["value": "late"]) == .failed(.late))
        for resource in AdViewEvent.OverusedResource.allCases {
            let failure = event("ad-failed", ["value": "heavy", "code": .string(resource.rawValue)])
            #expect(failure == .failed(.heavy(resource)))
        }
        #expect(event("ad-hide") == .hide && event("ad-unload") == .hide)
        #expect(event("ad-landing-close") == .closeLanding)
        #expect(event("ad-video", ["phase": "midpoint", "position": 1500]) == .video(.midpoint, 1500))
        #expect(event("ad-failed", ["value": "redirect"]) == .failed(.redirect))
        #expect(event("ad-failed", ["value": "media", "code": "4"]) == .failed(.media(4)))
        #expect(event("ad-failed", ["value": "media", "code": "stall"]) == .failed(.stall))
        #expect(event("ad-tap", ["part": "video", "value": ""]) == .tap(.video, nil))
    }

    @Test(arguments: [
        "javascript:alert(1)", "data:text/html,x", "about:blank", "file:///etc/passwd", "tel:+1",
        "mailto:a@b.c",
        "itms-apps://x", "market://x", "intent://x", "https:", "https:///x", "//cdn.example/x", "x", "",
        "java\nscript:alert(1)", "https://a.example\u{0}", "https://a b.example/", "blob:https://a.example/1",
    ])
    func `a creative opens nothing but the web`(address: String) {
        #expect(event("ad-tap", ["part": "creative", "value": .string(address)]) == nil)
        let companion = event("ad-tap", ["part": "companion", "value": .string(address)])
        #expect(companion == (address.isEmpty ? .tap(.companion, nil) : nil))
    }

    @Test func `a web address is opened as it is`() {
        for address in ["https://a.example/?x=1#y", "http://a.example"] {
            #expect(
                event("ad-tap", ["part": "creative", "value": .string(address)]) == .tap(.creative, address))
            #expect(
                event("ad-tap", ["part": "companion", "value": .string(address)])
                    == .tap(.companion, address))
        }
    }

    @Test func `a message that is not an ad's event is ignored`() {
        #expect(read(["name": "ad-rendered", "ad": "ad-1"], kind: "ready") == nil)
        #expect(read(["name": "ad-rendered"]) == nil)
        #expect(read(["name": "ad-rendered", "ad": .string(String(repeating: "x", count: 300))]) == nil)
        #expect(event("refresh") == nil)
        #expect(event("ad-video", ["phase": "impression", "position": 0]) == nil)
        #expect(event("ad-video", ["phase": "start", "position": -1]) == nil)
        #expect(event("ad-video", ["phase": "start", "position": 90_000_000]) == nil)
        #expect(event("ad-video", ["phase": "start"]) == nil)
        #expect(event("ad-tap", ["part": "page", "value": "https://a.example"]) == nil)
        #expect(event("ad-failed", ["value": "boredom"]) == nil)
        #expect(event("ad-failed", ["value": "heavy", "code": "heart"]) == nil)
        #expect(event("ad-failed", ["value": "heavy"]) == nil)
        #expect(event("ad-failed", ["value": "media", "code": "900"]) == .failed(.media(0)))
    }
}

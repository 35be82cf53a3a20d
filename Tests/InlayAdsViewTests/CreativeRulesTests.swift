import Foundation
import Testing

@_spi(Inlay) @testable import InlayAdsView
@_spi(Inlay) @testable import InlaySurface

/// The content security policies of a creative and of the page that a click opens.
@Suite struct CreativeRulesTests {
    private let base = "http://127.0.0.1:1/secret/ads/"

    private func rules(_ policy: String) -> [String: [String]] {
        Dictionary(
            uniqueKeysWithValues: policy.components(separatedBy: "; ").map { rule in
                let parts = rule.split(separator: " ").map(String.init)
                return (parts[0], Array(parts.dropFirst()))
            })
    }

    @Test func `a creative loads over https, and has no origin, form, plug-in, worker or window`() {
        let rules = rules(AdFrameRules.creative(allowsFrames: false).policy(base: base))
        #expect(rules["default-src"] == ["'none'"])
        #expect(rules["sandbox"] == ["allow-scripts"])
        for name in ["object-src", "worker-src", "form-action", "manifest-src", "frame-src"] {
            #expect(rules[name] == ["'none'"], "\(name)")
        }
        for name in ["img-src", "media-src", "font-src", "style-src", "script-src", "connect-src"] {
            #expect(rules[name]?.contains("https:") == true, "\(name)")
            #expect(rules[name]?.contains("http:") == false, "\(name)")
            #expect(rules[name]?.contains("*") == false && rules[name]?.contains("'unsafe-eval'") == false)
        }
        #expect(rules["frame-ancestors"] == ["'self'"])
        #expect(rules["upgrade-insecure-requests"] == [] && rules["webrtc"] == ["'block'"])
    }

    @Test func `a creative has frames of other sites, over https, only where the unit allows them`() {
        let closed = AdFrameRules.creative(allowsFrames: false).policy(base: base)
        let open = AdFrameRules.creative(allowsFrames: true).policy(base: base)
        #expect(rules(closed)["frame-src"] == ["'none'"] && rules(open)["frame-src"] == ["https:"])
        // Nothing else differs.
        #expect(open.replacingOccurrences(of: "frame-src https:", with: "frame-src 'none'") == closed)
    }

    @Test func `the document around a click's page loads frames and runs no script of its own`() {
        let rules = rules(AdFrameRules.landing.policy(base: base))
        #expect(rules["default-src"] == ["'none'"] && rules["script-src"] == nil)
        #expect(rules["frame-src"] == ["https:", "http:"])
        let allowed = Set(rules["sandbox"] ?? [])
        #expect(
            allowed.isDisjoint(with: [
                "allow-top-navigation", "allow-top-navigation-by-user-activation", "allow-popups",
                "allow-modals",
                "allow-downloads", "allow-top-navigation-to-custom-protocols", "allow-pointer-lock",
            ]))
    }

    @Test func `the host's scripts come first and the markup stays as it was`() throws {
        let scripts = ["ad-network.js", "ad-limits.js", "ad-mraid.js", "ad-frame.js"]
            .map { "<script src=\"/c/~/\($0)\"></script>" }.joined()
        let markup =
            "<!doctype html><html lang=nb><link rel=stylesheet href=x><iframe src=https://a.example></iframe>é"
        let data = try AdFrameRules.creative(allowsFrames: false).prepared(Data(markup.utf8), prefix: "/c/")
        let document = String(decoding: data, as: UTF8.self)
        #expect(document.hasPrefix("<!doctype html>" + scripts))
        #expect(document.hasSuffix(markup))
    }

    @Test(arguments: [
        ("<p>fragment", ""), ("<!-- a > b --><!DOCTYPE html><p>", "<!DOCTYPE html>"),
        (
            "\u{FEFF} \n<?xml version=\"1.0\"?>\n<!DocType HTML PUBLIC \"-//W3C//DTD HTML 4.01//EN\">",
            "<!DocType HTML PUBLIC \"-//W3C//DTD HTML 4.01//EN\">"
        ),
        ("<p><!doctype html>", ""), ("<!doctype html", ""), ("<!-- <!doctype html>", ""), ("", ""),
        ("<!doctype a\"><script>x</script>", "<!doctype a\">"),
    ])
    func `a creative keeps the document type that it begins with, and gets no other`(
        _ markup: String, _ type: String
    ) throws {
        let data = try AdFrameRules.creative(allowsFrames: false).prepared(Data(markup.utf8), prefix: "/c/")
        #expect(String(decoding: data, as: UTF8.self).hasPrefix(type + "<script src=\"/c/~/ad-network.js\">"))
    }

    @Test func `a creative in an encoding that hides its tags is not shown`() {
        for mark: [UInt8] in [[0xFE, 0xFF], [0xFF, 0xFE]] {
            #expect(throws: FrameDocument.Failure.foreignEncoding) {
                try AdFrameRules.creative(allowsFrames: false).prepared(Data(mark + [0, 60]), prefix: "/c/")
            }
        }
    }

    @Test func `the host's scripts in a creative are assets that hosts serve beside the frame's`() {
        for name in ["ad-network.js", "ad-limits.js", "ad-mraid.js", "ad-frame.js"] {
            #expect(SurfaceAssets.ads.frameNames.contains(name))
            #expect(SurfaceAssets.ads.data(named: name)?.isEmpty == false)
        }
    }
}

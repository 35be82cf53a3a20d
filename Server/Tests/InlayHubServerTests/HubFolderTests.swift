import Foundation
import InlaySQLTesting
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayHubServer
@testable import InlayServerTesting

@Suite struct HubFolderTests {
    private static let now = CardsServerFixture.start

    /// Runs a body in a folder that can be published, with some files changed, added or (nil) left out.
    private func folder(_ changes: [String: String?] = [:], _ body: (URL) throws -> Void) async throws {
        var files: [String: String?] = [
            "hubs/home.md": "---\ntitle: Home\nchannels: [news]\n---\n",
            "channels/news.md": "---\ntitle: News\n---\n",
            "articles/first.md":
                "---\ntitle: First\nchannels: news\nimage: assets/a.svg\ntags: [x, \"y z\"]\n---\nHello *you*. ![A](assets/a.svg)\n",
            "assets/a.svg": "<svg/>",
        ]
        files.merge(changes) { $1 }
        try await TestDatabase.withFolder { path in
            let root = URL(fileURLWithPath: path).appendingPathComponent("content")
            for (name, text) in files {
                guard let text else { continue }
                let url = root.appendingPathComponent(name)
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: url)
            }
            try body(root)
        }
    }

    /// Returns the faults of such a folder, one per line.
    private func faults(_ changes: [String: String?], prepare: (URL) throws -> Void = { _ in }) async throws
        -> [String]
    {
        var lines: [String] = []
        try await folder(changes) { root in
            try prepare(root)
            do {
                _ = try HubFolder(root, now: Self.now)
            } catch let faults as HubFaults {
                lines = faults.description.split(separator: "\n").map(String.init)
            }
        }
        return lines
    }

    @Test func `a folder becomes a manifest with every item, tag and file`() async throws {
        try await folder { root in
            let folder = try HubFolder(root, now: Self.now)
            let article = try #require(folder.manifest.items.first { $0.kind == .article })
            #expect(article.id == "first")
            #expect(article.draft.title == "First")
            #expect(article.draft.tags == ["x", "y z"])
            #expect(article.draft.channels == ["news"])
            #expect(article.draft.body.hasPrefix("Hello"))
            #expect(folder.manifest.assets["assets/a.svg"] == HubBlob(of: Data("<svg/>".utf8)))
            #expect(try folder.data("assets/a.svg") == Data("<svg/>".utf8))
        }
    }

    @Test(arguments: [
        ("articles/first.md", "title: x\n", "articles/first.md:1: The file begins with a line '---'"),
        ("articles/first.md", "---\ntitle: x\n", "articles/first.md:1: The line '---' that ends"),
        ("articles/first.md", "---\nchannels: news\n---\nx", "articles/first.md:1: 'title' is missing"),
        (
            "articles/first.md", "---\ntitle: a\nchannels: news\ncolour: red\n---\nx",
            "articles/first.md:4: 'colour' is not known"
        ),
        (
            "articles/first.md", "---\ntitle: a\ntitle: b\nchannels: news\n---\nx",
            "articles/first.md:3: 'title' is there already, on line 2"
        ),
        (
            "articles/first.md", "---\ntitle: a\nchannels: [news\n---\nx",
            "articles/first.md:3: The list has no closing"
        ),
        (
            "articles/first.md", "---\ntitle: \"a\nchannels: news\n---\nx",
            "articles/first.md:2: The closing quote is missing"
        ),
        (
            "articles/first.md", "---\ntitle: a: b\nchannels: news\n---\nx",
            "articles/first.md:2: A value with a colon"
        ),
        (
            "articles/first.md", "---\ntitle: &a x\nchannels: news\n---\nx",
            "articles/first.md:2: A value that begins with '&'"
        ),
        (
            "articles/first.md", "---\ntitle: |\n  text\nchannels: news\n---\nx",
            "articles/first.md:3: Not indented"
        ),
        ("articles/first.md", "---\ntitle: a\n\tb: c\nchannels: news\n---\nx", "articles/first.md:3: A tab"),
        (
            "articles/first.md", "---\ntitle:a\nchannels: news\n---\nx",
            "articles/first.md:2: A blank is missing"
        ),
        (
            "articles/first.md", "---\n- a\ntitle: a\nchannels: news\n---\nx",
            "articles/first.md:2: A list item without a key"
        ),
        (
            "articles/first.md", "---\ntitle: a\nchannels: news\norder: first\n---\nx",
            "articles/first.md:4: 'order' is a whole number"
        ),
        (
            "articles/first.md", "---\ntitle: a\nchannels: news\nscripts: yes\n---\nx",
            "articles/first.md:4: 'scripts' is true or false"
        ),
        (
            "articles/first.md", "---\ntitle: a\nchannels: news\ndate: 31.2.2026\n---\nx",
            "articles/first.md:4: 'date' is a date such as"
        ),
        (
            "articles/first.md", "---\ntitle: a\nchannels: news\ndate: 2026-02-31\n---\nx",
            "articles/first.md:4: 'date' is a date such as"
        ),
        (
            "articles/first.md", "---\ntitle: a\nchannels: gone\n---\nx",
            "articles/first.md:3: channels: There is no channel gone"
        ),
        (
            "articles/first.md", "---\ntitle: a\nchannels: news\n---\n\n\nx ![p](assets/gone.svg)",
            "articles/first.md:7: There is no file assets/gone.svg"
        ),
        (
            "articles/first.md", "---\ntitle: a\nchannels: news\n---\n\n![p](../../../etc/passwd)",
            "articles/first.md:6: ../../../etc/passwd is no file of this source"
        ),
        (
            "articles/first.md", "---\ntitle: a\nchannels: news\n---\n[x](hub:article/gone)",
            "articles/first.md:5: The link hub:article/gone leads nowhere"
        ),
        (
            "articles/first.md", "---\ntitle: a\nchannels: news\nimage: ../../../etc/passwd\n---\nx",
            "articles/first.md:4: image: A path such as"
        ),
        (
            "articles/first.md", "---\ntitle: a\nchannels: news\nscripts: true\n---\nx",
            "articles/first.md:4: allowsScripts: The source does not allow"
        ),
        (
            "articles/first.md", "---\ntitle: a\nchannels: news\n---\n",
            "articles/first.md:5: body: An article has a text"
        ),
        (
            "hubs/home.md", "---\ntitle: Home\nchannels: []\n---\n",
            "hubs/home.md:3: channels: A hub shows at least one channel"
        ),
        ("articles/First.md", "---\ntitle: a\n---\nx", "articles/First.md: The name is the id"),
        ("articles/first.html", "---\ntitle: a\n---\nx", "with the same id"),
        ("articles/notes.txt", "x", "articles/notes.txt: Only files that end in .md or .html"),
        ("assets/Quay.svg", "x", "assets/Quay.svg: The name may have lower-case letters"),
        ("assets/A.svg", "x", "assets/a.svg: Some systems take it for the same file as assets/A.svg"),
        ("assets/run.exe", "x", "assets/run.exe: The name may have lower-case letters"),
        ("assets/inlay-page.css", "x", "assets/inlay-page.css: The name may have"),
        ("templates/other.html", "x", "templates/other.html: A template is article.html"),
        ("templates/article.html", "{{#a}}", "templates/article.html: The template cannot be read"),
        ("extra/x.md", "x", "extra/x.md: Only source.md and the folders"),
        ("source.md", "---\napp-schemes: [javascript]\n---\n", "source.md:2: appSchemes[0]"),
        ("source.md", "---\nallowed-domains: [http://x]\n---\n", "source.md:2: allowedDomains[0]"),
        ("notifications/n.md", "---\ntitle: a\n---\nx", "notifications/n.md:1: 'date' is missing"),
        (
            "notifications/n.md", "---\ndate: 2027-01-01\naction: https://x\n---\nx",
            "notifications/n.md:3: notifications[0].action"
        ),
    ])
    func `a fault is named with its file and line`(file: String, text: String, fault: String) async throws {
        let found = try await faults([file: text])
        #expect(found.contains { $0.contains(fault) }, "\(found)")
    }

    @Test func `a notification's fault is in its own file beside a source.md`() async throws {
        let found = try await faults([
            "source.md": "---\nlanguage: de\n---\n",
            "notifications/n.md": "---\ndate: 2027-01-01\naction: https://x\n---\nx",
        ])
        #expect(found.contains { $0.contains("notifications/n.md:3: notifications[0].action") }, "\(found)")
    }

    @Test func `a check that needs the server's settings is left to the server`() async throws {
        let changes = [
            "articles/first.md":
                "---\ntitle: First\nchannels: news\n---\n![A](https://img.example.org/a.png)\n",
            "notifications/n.md": "---\ndate: 2027-01-01\naction: harbor://quay\n---\nx",
        ]
        #expect(try await faults(changes) == [])
        for (settings, fault) in [
            ("allowed-domains: [other.example]", "articles/first.md:5"),
            ("app-schemes: [other]", "notifications/n.md:3"),
        ] {
            let found = try await faults(changes.merging(["source.md": "---\n\(settings)\n---\n"]) { $1 })
            #expect(found.count == 1 && found[0].hasPrefix(fault), "\(found)")
        }
    }

    @Test func `what a page cannot have is a warning with file and line, and the folder can be published`()
        async throws
    {
        let text =
            "---\ntitle: First\nchannels: news\n---\nHello\n\n<p style=\"x\">a</p>\n\n[b](#gone) [c](other:x) [d](/e)\n"
        try await folder(["articles/first.md": text]) { root in
            let folder = try HubFolder(root, now: Self.now)
            // Only the server knows whether the app has the scheme.
            #expect(
                folder.warnings.map { String($0.text("warning: ").prefix(50)) } == [
                    "articles/first.md:7: warning: The attribute style ",
                    "articles/first.md:9: warning: The link to \"/e\" was",
                    "articles/first.md:9: warning: The link to #gone le",
                ])
            let ofServer = [
                HubFaults.Item(place: "article first", message: "M.", quote: "other:x"),
                HubFaults.Item(place: "article first", message: "N\u{1B}.", quote: "not there"),
                HubFaults.Item(place: "source", message: "… and 3 more."),
            ]
            #expect(
                folder.located(ofServer).map { $0.text() } == [
                    "articles/first.md:9: M.", "articles/first.md: N\u{FFFD}.", "source: … and 3 more.",
                ])
        }
    }

    @Test func `a source says in its front matter whether punctuation is replaced`() async throws {
        let lines: [(String, Bool?)] = [("typographic-punctuation: true", true), ("language: de", nil)]
        for (line, value) in lines {
            try await folder(["source.md": "---\n\(line)\n---\n"]) { root in
                let settings = try HubFolder(root, now: Self.now).manifest.settings
                #expect(settings?.usesTypographicPunctuation == value)
            }
        }
        let found = try await faults(["source.md": "---\ntypographic-punctuation: maybe\n---\n"])
        #expect(found == ["source.md:2: 'typographic-punctuation' is true or false."])
    }

    @Test func `all faults of a folder are reported at once`() async throws {
        let found = try await faults([
            "articles/one.md": "---\ntitle: a\nchannels: gone\n---\nx",
            "articles/two.md": "---\nsummary: b\n---\nx",
            "assets/B.png": "x", "hubs/home.md": nil,
        ])
        #expect(found.contains { $0.hasPrefix("articles/one.md:3") })
        #expect(found.contains { $0.hasPrefix("articles/two.md:1") })
        #expect(found.contains { $0.hasPrefix("assets/B.png") })
        #expect(found.contains { $0.contains("There is no hub") })
    }

    @Test(arguments: HubMedia.allCases.filter(\.isPicture))
    func `a picture whose bytes are no picture is named`(kind: HubMedia) async throws {
        let path = "assets/no-picture.\(kind.rawValue)"
        // A text, a page and an empty file; and a picture of another kind under this name.
        let other = kind == .gif ? "\u{FEFF}<svg xmlns='http://www.w3.org/2000/svg'/>" : "GIF89a\u{1}"
        for text in ["A text.", "<!DOCTYPE html><title>x</title><svg></svg>", "", other] {
            let found = try await faults([path: text])
            #expect(
                found.contains { $0.hasPrefix("\(path): The bytes are not those of a picture") }, "\(found)")
        }
    }

    @Test func `pictures of every kind pass`() async throws {
        let pictures: [String: [UInt8]] = [
            "png": [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8),
            "jpg": [0xFF, 0xD8, 0xFF, 0xE0], "jpeg": [0xFF, 0xD8, 0xFF, 0xDB],
            "gif": Array("GIF87a".utf8), "webp": Array("RIFF\u{1}\u{2}\u{3}\u{4}WEBPVP8 ".utf8),
            "avif": [0, 0, 0, 24] + Array("ftypmif1".utf8) + [0, 0, 0, 0] + Array("miafavif".utf8),
            "svg": Array(
                "<?xml version='1.0'?>\n<!-- > --><!DOCTYPE svg [<!ENTITY a '>'>]>\n<svg:svg/>".utf8),
        ]
        #expect(Set(pictures.keys) == Set(HubMedia.allCases.filter(\.isPicture).map(\.rawValue)))
        let found = try await faults([:]) { root in
            for (kind, bytes) in pictures {
                try Data(bytes).write(to: root.appendingPathComponent("assets/picture.\(kind)"))
            }
        }
        #expect(found == [])
    }

    @Test(arguments: [
        "articles/con.md", "articles/nul.html", "articles/aux.md", "channels/prn.md", "hubs/com1.md",
        "notifications/lpt9.md", "assets/con.svg", "assets/aux.old.svg", "assets/nul/a.svg",
        "articles/com3/one.md",
        "articles/CON.md", "articles/one.md ", "articles/one.md.", "assets/more./a.svg",
        "articles/com\u{B2}.md",
    ])
    func `a name that Windows cannot give a file is named`(path: String) async throws {
        let found = try await faults([path: "---\ntitle: x\n---\nText"])
        #expect(found.contains { $0.hasPrefix("\(path): Windows cannot name a file") }, "\(found)")
    }

    @Test func `a name that only begins like a device passes`() async throws {
        let item = "---\ntitle: x\nchannels: news\n---\nText"
        let found = try await faults([
            "articles/console.md": item, "articles/com10.md": item, "articles/con-1.md": item,
            "assets/auxiliary.svg": "<svg/>",
        ])
        #expect(found == [])
    }

    @Test func `a symbolic link is refused, to a file as to a folder`() async throws {
        let found = try await faults([:]) { root in
            let files = FileManager.default
            try files.createSymbolicLink(
                atPath: root.appendingPathComponent("assets/passwd.svg").path,
                withDestinationPath: "/etc/passwd")
            try files.createSymbolicLink(
                atPath: root.appendingPathComponent("articles/more").path, withDestinationPath: "/etc")
        }
        #expect(found.contains("assets/passwd.svg: A symbolic link: put the file itself here."))
        #expect(found.contains("articles/more: A symbolic link: put the file itself here."))
    }

    @Test(arguments: [String.Encoding.utf8, .utf16LittleEndian, .utf16BigEndian])
    func `every text of a folder may begin with a byte order mark`(_ encoding: String.Encoding) async throws {
        let files = [
            "source.md": "---\nlanguage: sv\n---\n",
            "articles/first.md": "---\r\ntitle: Först\r\nchannels: news\r\n---\r\nHej å",
            "notifications/n.md": "---\ndate: 2030-01-01\ntitle: T\n---\nNu",
            "templates/article.html": "<html>{{title}}{{{body}}}</html>", "assets/page.css": "a {}",
        ]
        try await folder { root in
            for (path, text) in files {
                let url = root.appendingPathComponent(path)
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                try #require("\u{FEFF}\(text)".data(using: encoding)).write(to: url)
            }
            let manifest = try HubFolder(root, now: Self.now).manifest
            let article = try #require(manifest.items.first { $0.kind == .article })
            #expect(article.draft.title == "Först" && article.draft.body == "Hej å")
            #expect(manifest.settings?.language == "sv" && manifest.notifications.first?.message == "Nu")
        }
    }

    @Test func `a text in another encoding is named with its file and line`() async throws {
        let latin = Data("---\ntitle: F".utf8) + Data([0xF6]) + Data("rst\n---\n".utf8)
        let found = try await faults([:]) { root in
            try latin.write(to: root.appendingPathComponent("articles/latin.md"))
            let templates = root.appendingPathComponent("templates")
            try FileManager.default.createDirectory(at: templates, withIntermediateDirectories: true)
            try latin.write(to: templates.appendingPathComponent("hub.html"))
            let utf32 = try #require("\u{FEFF}---\n".data(using: .utf32LittleEndian))
            try utf32.write(to: root.appendingPathComponent("articles/wide.md"))
        }
        let rule = "It holds bytes that are no UTF-8. Save it as UTF-8."
        #expect(found.contains("articles/latin.md:2: \(rule)"), "\(found)")
        #expect(found.contains("templates/hub.html:2: \(rule)"), "\(found)")
        #expect(found.contains("articles/wide.md: It is UTF-32. Save it as UTF-8."), "\(found)")
    }

    @Test func `a style sheet may be in any encoding that a browser reads`() async throws {
        let sheet = Data("@charset \"iso-8859-1\"; /* ".utf8) + Data([0xE6]) + Data(" */".utf8)
        try await folder { root in
            try sheet.write(to: root.appendingPathComponent("assets/page.css"))
            #expect(
                try HubFolder(root, now: Self.now).manifest.assets["assets/page.css"] == HubBlob(of: sheet))
        }
    }

    @Test func `an order is a whole number in the digits of one script`() async throws {
        func order(_ typed: String) -> String { "---\ntitle: A\nchannels: news\norder: \(typed)\n---\nA\n" }
        try await folder(["articles/first.md": order("٣")]) { root in
            let items = try HubFolder(root, now: Self.now).manifest.items
            #expect(items.first { $0.kind == .article }?.draft.order == 3)
        }
        let mixed = try await faults(["articles/first.md": order("1٣")])
        #expect(mixed == ["articles/first.md:4: Write the number with the digits of one script."])
        let hex = try await faults(["articles/first.md": order("0x1A")])
        #expect(hex == ["articles/first.md:4: 'order' is a whole number."])
    }

    @Test func `a file that changed after it was read is not published`() async throws {
        try await folder { root in
            let folder = try HubFolder(root, now: Self.now)
            try Data("<svg>other</svg>".utf8).write(to: root.appendingPathComponent("assets/a.svg"))
            #expect(throws: HubFaults.self) { try folder.data("assets/a.svg") }
        }
    }

    @Test func `front matter reads quotes, comments and both kinds of list`() {
        let matter = FrontMatter(
            "---\r\n# a comment\r\ntitle: 'It''s \"so\"' # more\r\ntags:\r\n  - a b\r\n  - \"c: d\"\r\nlist: [x, 'y, z']\r\nempty:\r\n---\r\nBody\r\n"
        )
        #expect(matter.faults.isEmpty)
        #expect(matter.entries["title"]?.value == .text("It's \"so\"", isQuoted: true))
        #expect(matter.entries["tags"]?.value == .list(["a b", "c: d"]))
        #expect(matter.entries["list"]?.value == .list(["x", "y, z"]))
        #expect(matter.entries["empty"]?.value == .text("", isQuoted: false))
        #expect(matter.bodyLine == 10)
    }

    @Test(arguments: [
        ("2026-03-01", 1_772_323_200.0), ("2026-03-01 09:30", 1_772_357_400),
        ("2026-03-01T09:30:00+01:00", 1_772_353_800),
        ("2026-03-01T00:30:00+01:00", 1_772_321_400),
    ])
    func `dates are read in UTC unless they say otherwise`(text: String, seconds: Double) {
        #expect(FrontMatterFields.moment(text) == Timestamp(seconds: seconds))
    }
}

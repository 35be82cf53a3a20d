import Crypto
import Foundation
import InlaySQL
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayHubServer
@testable import InlayServerCore
@testable import InlayServerTesting
@testable import InlayWorkbench

@Suite struct HubPagesTests {
    private static let root = "/workbench/e/harbor/hub"

    /// Creates a source with a hub, a channel and an article by forms, and does not publish it.
    private func createSource(
        by editor: WorkbenchBrowser, body: String = "The first ferry leaves at *six*."
    ) async throws {
        let root = Self.root
        #expect(try await editor.post("\(root)/new", [("id", "guide"), ("name", "Guide")]).status == 303)
        let channel = [("id", "news"), ("title", "News"), ("op", "release")]
        #expect(try await editor.post("\(root)/guide/channels/new", channel).status == 303)
        let hub = [("id", "home"), ("title", "Home"), ("channelOrder", "news"), ("op", "release")]
        #expect(try await editor.post("\(root)/guide/hubs/new", hub).status == 303)
        let article = [
            ("id", "first-ferry"), ("title", "First ferry"), ("tags", "quay, morning"), ("body", body),
            ("channel.news", "on"), ("op", "save"),
        ]
        let made = try await editor.post("\(root)/guide/articles/new", article)
        #expect(made.location == "\(root)/guide/articles/first-ferry")
    }

    private func index(_ site: WorkbenchSite) async throws -> HubIndex? {
        let state = try await site.services.database.read { try HubState.load("harbor", "guide", $0) }
        guard let blob = state.files["index.json"] else { return nil }
        let data = try await site.server.features.hub.blobs.data("harbor", blob.hash)
        return try JSONDecoder().decode(HubIndex.self, from: data ?? Data())
    }

    @Test func `an article written in the Workbench is in the signed version once it is published`()
        async throws
    {
        try await WorkbenchSite.run { site in
            let editor = try await site.signedIn(.editor)
            try await createSource(by: editor)
            let path = "\(Self.root)/guide/articles/first-ferry"
            #expect(try await editor.get("\(Self.root)/guide").body.contains("Draft"))
            let published = try await editor.post(
                path,
                [
                    ("title", "First ferry"), ("tags", "quay"), ("body", "At **six**."), ("revision", "1"),
                    ("channel.news", "on"), ("op", "publish"),
                ])
            #expect(published.status == 303)
            let index = try #require(try await index(site))
            #expect(index.articles.elements.map(\.title) == ["First ferry"])
            #expect(index.articles.elements.first?.tags == ["quay"])
            let page = try await editor.get("\(Self.root)/guide/versions")
            #expect(page.body.contains("Current") && page.body.contains("First ferry"))
        }
    }

    @Test func `parts of an article that are left out are listed before and after publishing`() async throws {
        try await WorkbenchSite.run { site in
            let editor = try await site.signedIn(.editor)
            let body = "See [this](#nowhere). <font>x</font>"
            try await createSource(by: editor, body: body)
            let path = "\(Self.root)/guide/articles/first-ferry"
            let article = [
                ("title", "First ferry"), ("body", body), ("revision", "1"), ("channel.news", "on"),
            ]
            #expect(try await editor.post(path, article + [("op", "release")]).status == 303)
            let lines = [
                "&lt;font&gt; was left out; its text stays.",
                "The link to #nowhere leads to no id of this text.",
            ]
            let question = try await editor.get("\(Self.root)/guide/publish").body
            let published = try await editor.post(
                path, article.map { $0.0 == "revision" ? ("revision", "2") : $0 } + [("op", "publish")])
            #expect(published.status == 303)
            #expect(
                try await editor.get(published.location).body.contains(
                    "2 parts of the texts left out: see Versions."))
            let versions = try await editor.get("\(Self.root)/guide/versions").body
            for page in [question, versions] {
                for line in lines {
                    #expect(page.contains("<li>article first-ferry: \(line)</li>"), "\(page)")
                }
            }
        }
    }

    @Test func `typographic punctuation is a setting of a source, off at first`() async throws {
        try await WorkbenchSite.run { site in
            let editor = try await site.signedIn(.editor)
            try await createSource(by: editor)
            let path = "\(Self.root)/guide/settings"
            func isOn() async throws -> Bool? {
                try await site.server.features.hub.content.source("harbor", "guide")?.settings
                    .usesTypographicPunctuation
            }
            #expect(try await isOn() == false)
            let page = try await editor.get(path)
            #expect(page.body.contains("Typographic punctuation"))
            let fields = PageForm.fields(page.body).filter { $0.0 != "csrf" }
            #expect(
                try await editor.post(path, fields + [("usesTypographicPunctuation", "on")]).status == 303)
            #expect(try await isOn() == true)
        }
    }

    @Test func `errors that prevent a publish are listed, and nothing is published`() async throws {
        try await WorkbenchSite.run { site in
            let editor = try await site.signedIn(.editor)
            try await createSource(by: editor, body: "See [this](hub:article/nowhere).")
            let path = "\(Self.root)/guide/articles/first-ferry"
            let refused = try await editor.post(
                path,
                [
                    ("title", "First ferry"), ("body", "See [this](hub:article/nowhere)."),
                    ("revision", "1"), ("channel.news", "on"), ("op", "publish"),
                ])
            #expect(refused.location == "\(Self.root)/guide/publish")
            let page = try await editor.get(refused.location)
            #expect(page.status == 422 && page.body.contains("hub:article/nowhere leads nowhere"))
            #expect(try await index(site) == nil)
        }
    }

    @Test func `a form with faults keeps what was typed, and a save over another's save is refused`()
        async throws
    {
        try await WorkbenchSite.run { site in
            let editor = try await site.signedIn(.editor)
            try await createSource(by: editor)
            let path = "\(Self.root)/guide/articles/first-ferry"
            let typed = [("title", ""), ("body", "Kept <b>words</b>"), ("order", "many"), ("op", "save")]
            let wrong = try await editor.post(path, typed)
            #expect(wrong.status == 422 && wrong.body.contains("Kept &lt;b&gt;words&lt;/b&gt;"))
            #expect(wrong.body.contains("value=\"many\"") && wrong.body.contains("A whole number."))
            let good = [("title", "Mine"), ("body", "x"), ("revision", "1"), ("op", "save")]
            #expect(try await editor.post(path, good).status == 303)
            let late = try await editor.post(
                path, [("title", "Late"), ("body", "y"), ("revision", "1"), ("op", "save")])
            #expect(late.status == 422 && late.body.contains("Somebody else saved it meanwhile."))
        }
    }

    @Test func `a preview is sanitised, may load the source's files and runs nothing`() async throws {
        try await WorkbenchSite.run { site in
            let editor = try await site.signedIn(.editor)
            try await createSource(by: editor)
            let picture = "<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"alert(1)\"/>"
            let hash = SHA256.hash(data: Data(picture.utf8)).map { String(format: "%02x", $0) }.joined()
            let upload = "\(Self.root)/guide/files?name=quay.svg&hash="
            #expect(
                try await editor.put(upload + hash, picture, token: editor.formToken).status == 200)
            #expect(try await editor.put(upload + "00", picture, token: editor.formToken).status == 422)
            let shown = try await editor.get("\(Self.root)/guide/assets/quay.svg")
            #expect(shown.body == picture && shown.header("content-type") == "image/svg+xml")
            #expect(shown.header("content-security-policy")?.hasSuffix("sandbox") == true)
            let typed = [
                ("title", "<script>t</script>"), ("format", "html"),
                ("body", "<p onclick=\"x()\">Hi<script>alert(1)</script><img src=\"assets/quay.svg\"></p>"),
            ]
            let page = try await editor.post("\(Self.root)/guide/articles/first-ferry/preview", typed)
            #expect(page.status == 200 && page.body.contains("Hi"))
            #expect(!page.body.contains("<script") && !page.body.contains("onclick"))
            #expect(page.body.contains("\"\(Self.root)/guide/assets/quay.svg\""))
            let policy = page.header("content-security-policy") ?? ""
            #expect(policy.hasPrefix("default-src 'none'") && !policy.contains("script-src"))
        }
    }

    @Test func `the list of files links those that pages can load, and no page template`() async throws {
        try await WorkbenchSite.run { site in
            let editor = try await site.signedIn(.editor)
            try await createSource(by: editor)
            let hash = SHA256.hash(data: Data("p {}".utf8)).map { String(format: "%02x", $0) }.joined()
            for name in ["own.css", "other.css"] {
                let upload = "\(Self.root)/guide/files?name=\(name)&hash=\(hash)"
                #expect(try await editor.put(upload, "p {}", token: editor.formToken).status == 200)
            }
            // A folder that 'inlay publish' sends has page templates beside the other files.
            try await site.services.database.write {
                try $0.execute(
                    "UPDATE hub_assets SET path = 'templates/article.html' WHERE path = 'assets/other.css'")
            }
            let page = try await editor.get("\(Self.root)/guide/files").body
            #expect(page.contains("href=\"\(Self.root)/guide/assets/own.css\">own.css</a>"))
            #expect(page.contains("<span class=\"cell-title mono\">templates/article.html</span>"))
        }
    }

    @Test func `a video is read piece by piece while it is shown, and never whole`() async throws {
        try await WorkbenchSite.run(watching: { RecordingDatabase($0) }) { site in
            let audited = try #require(site.services.database as? AuditedDatabase)
            let database = try #require(audited.base as? RecordingDatabase)
            let editor = try await site.signedIn(.editor)
            try await createSource(by: editor)
            // Three pieces of 256 KiB, the last of them not full.
            let video = String(repeating: "frame ", count: 100_000)
            let hash = SHA256.hash(data: Data(video.utf8)).map { String(format: "%02x", $0) }.joined()
            let upload = "\(Self.root)/guide/files?name=crossing.mp4&hash=\(hash)"
            #expect(try await editor.put(upload, video, token: editor.formToken).status == 200)
            database.clearStatements()
            let shown = try await editor.get("\(Self.root)/guide/assets/crossing.mp4")
            #expect(shown.status == 200 && shown.body == video)
            #expect(shown.header("content-length") == "600000")
            #expect(database.statements.count { $0.sql.contains("hub_pieces") } == 3)
            #expect(try await editor.get("\(Self.root)/guide/assets/nowhere.mp4").status == 404)
        }
    }

    @Test
    func `a video, a picture and a date given in the Workbench are in the version when the date has come`()
        async throws
    {
        try await WorkbenchSite.run { site in
            let editor = try await site.signedIn(.editor)
            try await createSource(by: editor)
            for (name, text, status) in [
                ("film.mp4", "film", 200), ("quay.svg", "<svg/>", 200), ("no-picture.png", "A text.", 422),
            ] {
                let hash = SHA256.hash(data: Data(text.utf8)).map { String(format: "%02x", $0) }.joined()
                let upload = "\(Self.root)/guide/files?name=\(name)&hash=\(hash)"
                #expect(try await editor.put(upload, text, token: editor.formToken).status == status)
            }
            let body =
                "<p onclick=\"x()\">Sail</p><video src=\"assets/film.mp4\"></video><img src=\"assets/quay.svg\">"
            let sourceJobs = HubSourceJobs(
                database: site.services.database, publisher: site.server.features.hub.publisher,
                now: site.services.now, logger: .quiet)
            for (id, date) in [("past", "2020-06-01T08:30"), ("later", "2060-06-01T08:30")] {
                let typed = [
                    ("id", id), ("title", id), ("format", "html"), ("body", body), ("publishAt", date),
                    ("channel.news", "on"), ("op", "publish"),
                ]
                #expect(try await editor.post("\(Self.root)/guide/articles/new", typed).status == 303)
            }
            try await sourceJobs.runDueJobs()
            let index = try #require(try await index(site))
            #expect(index.articles.elements.map(\.id) == ["past"])
            let article = try #require(index.article("past"))
            #expect(
                article.publishedAt
                    == TypedText.moment("2020-06-01T08:30", in: site.services.configuration.timeZone))
            #expect(Set(article.files).isSuperset(of: ["assets/film.mp4", "assets/quay.svg"]))
            let state = try await site.services.database.read { try HubState.load("harbor", "guide", $0) }
            func bytes(_ path: String) async throws -> String {
                let blob = try #require(state.files[path])
                let data = try await site.server.features.hub.blobs.data("harbor", blob.hash)
                return String(decoding: data ?? Data(), as: UTF8.self)
            }
            #expect(try await bytes("assets/film.mp4") == "film")
            let page = try await bytes(article.page)
            #expect(page.contains("<video") && page.contains("assets/film.mp4") && !page.contains("onclick"))
        }
    }

    @Test func `a recall and a disabled source are signed at once, and invalid hosts are refused`()
        async throws
    {
        try await WorkbenchSite.run { site in
            let editor = try await site.signedIn(.editor)
            try await createSource(by: editor)
            let path = "\(Self.root)/guide/articles/first-ferry"
            _ = try await editor.post(
                path,
                [
                    ("title", "First ferry"), ("body", "At six."), ("revision", "1"), ("channel.news", "on"),
                    ("op", "publish"),
                ])
            let usual = [("staleness", "block"), ("afterHours", "2")]
            let wrong = try await editor.post(
                "\(Self.root)/guide/policy", usual + [("allowedDomains", "http://evil")])
            #expect(wrong.status == 422 && wrong.body.contains("http://evil"))
            let saved = try await editor.post(
                "\(Self.root)/guide/policy",
                usual + [("isDisabled", "on"), ("recalledArticles", "first-ferry")])
            #expect(saved.status == 303)
            let state = try await site.services.database.read { try HubState.load("harbor", "guide", $0) }
            let blob = try #require(state.files["policy.json"])
            let data = try await site.server.features.hub.blobs.data("harbor", blob.hash)
            let policy = try JSONDecoder().decode(HubPolicy.self, from: data ?? Data())
            #expect(policy.isDisabled && policy.recalledArticles == ["first-ferry"])
            #expect(policy.staleness == HubStaleness(action: .block, afterSeconds: 7_200))
            #expect(try await editor.get("\(Self.root)/guide/keys").body.contains("On the server, encrypted"))
        }
    }

    @Test func `a policy does not overwrite one that its author has not seen`() async throws {
        try await WorkbenchSite.run { site in
            let editor = try await site.signedIn(.editor)
            try await createSource(by: editor)
            let path = "\(Self.root)/guide/policy"
            let page = try await editor.get(path).body
            let read = try #require(WorkbenchBrowser.between("name=\"revision\" value=\"", "\"", page))
            let usual = [("staleness", "block"), ("afterHours", "2"), ("revision", read)]
            let recall = usual + [("isDisabled", "on"), ("recalledArticles", "first-ferry")]
            #expect(try await editor.post(path, recall).status == 303)
            let late = try await editor.post(path, usual + [("allowedDomains", "www.example.org")])
            #expect(late.status == 422 && late.body.contains("Someone else changed the policy meanwhile."))
            #expect(late.body.contains("www.example.org"))
            let source = try #require(try await site.server.features.hub.content.source("harbor", "guide"))
            #expect(source.policy.isDisabled && source.policy.recalledArticles == ["first-ferry"])
        }
    }

    @Test func `Enter in a field of an item saves a draft and publishes nothing`() async throws {
        try await WorkbenchSite.run { site in
            let editor = try await site.signedIn(.editor)
            try await createSource(by: editor)
            for item in ["articles/first-ferry", "articles/new"] {
                // At Enter, a browser presses the first button of the form.
                let page = try await editor.get("\(Self.root)/guide/\(item)").body
                #expect(WorkbenchBrowser.between("name=\"op\" value=\"", "\"", page) == "save")
            }
        }
    }

    @Test func `an announcement written in the Workbench is in the index of the next publish`() async throws {
        try await WorkbenchSite.run { site in
            let editor = try await site.signedIn(.editor)
            try await createSource(by: editor)
            let root = "\(Self.root)/guide/announcements"
            let typed = [
                ("id", "summer"), ("fireAt", "2030-06-01T08:30"), ("title", "Summer <times>"),
                ("message", "More ferries from today."), ("action", "hub:article/first-ferry"),
                ("tags", "quay, morning"),
            ]
            let wrong = try await editor.post(
                "\(root)/new", [("id", "Bad id"), ("fireAt", "2030-06-01T08:30"), ("action", "http://x")])
            #expect(wrong.status == 422)
            for field in ["id", "message", "action"] { #expect(wrong.body.contains("id=\"\(field)-fault\"")) }
            #expect(try await editor.post("\(root)/new", typed).status == 303)
            let twice = try await editor.post("\(root)/new", typed)
            #expect(twice.status == 422 && twice.body.contains("with this id already"))
            #expect(try await editor.get(root).body.contains("Summer &lt;times&gt;"))
            _ = try await editor.post(
                "\(Self.root)/guide/articles/first-ferry",
                [
                    ("title", "First ferry"), ("body", "At six."), ("revision", "1"), ("channel.news", "on"),
                    ("op", "publish"),
                ])
            let kept = try #require(try await index(site)?.notifications.elements.first)
            #expect(kept.id == "summer" && kept.message == "More ferries from today.")
            #expect(
                kept.fireAt == TypedText.moment("2030-06-01T08:30", in: site.services.configuration.timeZone)
                    && kept.tags == ["quay", "morning"])
            #expect(kept.action == "hub:article/first-ferry")
            let changed = [("fireAt", "2030-06-02T08:30"), ("message", "From tomorrow.")]
            #expect(try await editor.post("\(root)/summer", changed).status == 303)
            #expect(try await editor.get("\(root)/summer").body.contains("2030-06-02T08:30"))
            #expect(try await editor.get("\(root)/summer/delete").body.contains("Delete"))
            #expect(try await editor.post("\(root)/summer/delete").status == 303)
            #expect(try await editor.post("\(Self.root)/guide/publish").status == 303)
            #expect(try await index(site)?.notifications.elements.isEmpty == true)
        }
    }

    @Test func `a source of one environment is not found from another`() async throws {
        try await WorkbenchSite.run { site in
            let editor = try await site.signedIn(.editor)
            try await createSource(by: editor)
            for page in [
                "", "/articles/first-ferry", "/files", "/versions", "/policy", "/keys", "/publish",
                "/announcements",
            ] {
                #expect(try await editor.get("/workbench/e/other/hub/guide\(page)").status == 404)
            }
        }
    }
}

import Foundation
import Glibc
import InlayTesting
@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayWebHost
@_spi(Inlay) import InlayWire
import Testing

@testable import InlayGTK

/// Tests in WebKit itself, which needs a display; `Scripts/test` starts a virtual one.
@MainActor @Suite(.serialized) struct SurfaceViewTests {
    private static let button: JSONValue = [
        "ops": [
            [
                "op": "insert", "key": "a", "slot": "list",
                "html": #"<div style=""><button type="button" data-event="press">Press</button></div>"#,
            ]
        ]
    ]

    @Test func `WebKit draws a surface, and its events reach it`() async throws {
        let shown = try ViewInWindow()
        try await shown.ready()
        await shown.surface.send("patch", Self.button)
        try await eventually {
            try await shown.value("document.querySelector('button')?.textContent") == "Press"
        }
        _ = try await shown.value("document.querySelector('button').click()")
        try await eventually { shown.surface.events == ["press"] }
        #expect(try await shown.value("document.title") == "Test")
        try await shown.close()
    }

    @Test func `the page reports its environment and the height of its content`() async throws {
        let shown = try ViewInWindow()
        try await shown.ready()
        let environment = try #require(shown.surface.runs.last?.link.environment)
        let zone = try await shown.value("Intl.DateTimeFormat().resolvedOptions().timeZone")
        #expect(environment.timeZone == zone && !zone.isEmpty)
        try await eventually { shown.view.contentHeight != nil }
        let empty = try #require(shown.view.contentHeight)
        await shown.surface.send(
            "patch",
            [
                "ops": [
                    [
                        "op": "insert", "key": "a", "slot": "bottom",
                        "html": "<hr class=\"gap\"><p>One</p><p>Two</p>",
                    ]
                ]
            ])
        try await eventually { (shown.view.contentHeight ?? 0) > empty }
        try await shown.close()
    }

    @Test func `a document in a frame cannot send messages as the page`() async throws {
        let shown = try ViewInWindow()
        try await shown.ready()
        let content = try #require(shown.surface.runs.last?.link.content)
        let frame = "<iframe sandbox=\"allow-scripts\" src=\"\(content)frame.html\"></iframe>"
        await shown.surface.send(
            "patch",
            ["ops": [["op": "insert", "key": "a", "slot": "list", "html": .string("<div>\(frame)</div>")]]])
        try await eventually { shown.surface.hasForgerRun }
        // The page's own event comes after all events of the frame.
        _ = try await shown.value(
            "document.dispatchEvent(new CustomEvent('inlay-surface-event', { detail: { name: 'own' } }))")
        try await eventually { !shown.surface.events.isEmpty }
        #expect(shown.surface.events == ["own"])
        #expect(
            shown.surface.runs.last?.messages.contains { $0.kind == SurfaceMessage.Kind.environment } == false
        )
        #expect(try await shown.value("document.querySelector('iframe').contentDocument") == "null")
        try await shown.close()
    }

    @Test func `a script that leaves the page goes nowhere`() async throws {
        let shown = try ViewInWindow()
        try await shown.ready()
        let address = try await shown.value("location.href")
        // WebKit treats a script that its host runs as an action of the user, which stays active for some seconds.
        _ = try await shown.value(
            """
            const report = name =>
              document.dispatchEvent(new CustomEvent('inlay-surface-event', { detail: { name } }));
            const later = () => {
              if (navigator.userActivation.isActive) return setTimeout(later, 20);
              window.open('https://www.example.com/');
              location.href = 'https://www.example.com/';
              // The navigation begins in a task of its own, and so before this event.
              fetch('https://www.example.com/').catch(() => setTimeout(() => setTimeout(() => report('refused'))));
            };
            later();
            """)
        try await eventually { shown.surface.events == ["refused"] }
        #expect(try await shown.value("location.href") == address)
        #expect(shown.opened.isEmpty)
        try await shown.close()
    }

    @Test func `a web process that is killed is replaced, and the surface has a new run`() async throws {
        // The process of an earlier test may still be ending.
        let older = try Self.webProcesses()
        let shown = try ViewInWindow()
        try await shown.ready()
        let process = try #require(try Self.webProcesses().last { !older.contains($0) })
        kill(process, SIGKILL)
        try await shown.ready(2)
        #expect(shown.surface.runs[0].isEnded && !shown.surface.runs[1].isEnded)
        await shown.surface.send("patch", Self.button)
        try await eventually {
            try await shown.value("document.querySelector('button')?.textContent") == "Press"
        }
        try await shown.close()
    }

    @Test func `fifty views that come and go leave nothing behind`() async throws {
        for number in 0..<50 {
            weak var view: SurfaceView?
            do {
                let shown = try ViewInWindow()
                view = shown.view
                if number.isMultiple(of: 10) {
                    try await shown.ready()
                    #expect(try !Self.webProcesses().isEmpty)
                }
                try await shown.close()
            }
            #expect(view == nil)
        }
        try await eventually { try Self.webProcesses().isEmpty }
    }

    /// Returns the web processes of this program, sorted by id. With WebKit's sandbox, other processes are in between.
    private static func webProcesses() throws -> [pid_t] {
        let names = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap(pid_t.init)
        var parents: [pid_t: pid_t] = [:]
        var drawing: [pid_t] = []
        for id in names {
            // The process may have ended since the list was read.
            guard let status = try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8),
                let parent = status.firstMatch(of: /PPid:\t(\d+)/)?.output.1
            else { continue }
            parents[id] = pid_t(parent)
            if status.contains("Name:\tWebKitWebProces"), !status.contains("State:\tZ") { drawing.append(id) }
        }
        return drawing.filter { id in
            var ancestor = parents[id]
            while let id = ancestor, id != getpid() { ancestor = parents[id] }
            return ancestor != nil
        }.sorted()
    }
}

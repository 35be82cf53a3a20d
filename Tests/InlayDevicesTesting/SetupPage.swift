import Foundation
@_spi(Inlay) package import InlaySurface
@_spi(Inlay) package import InlayTesting
@_spi(Inlay) import InlayWire

/// A page without a browser: keeps the HTML that it was sent, and says what a person does.
package final class SetupPage: Sendable {
    private let messages: Collected<SurfaceMessage>
    private let say: AsyncStream<SurfaceMessage>.Continuation
    private let serving: Task<Void, Never>

    package init(_ surface: any Surface, environment: SurfaceEnvironment = SurfaceEnvironment()) {
        let (events, say) = AsyncStream.makeStream(of: SurfaceMessage.self)
        let (sent, send) = AsyncStream.makeStream(of: SurfaceMessage.self)
        self.say = say
        messages = Collected(sent)
        let link = SurfaceLink(events: events, environment: environment) { send.yield($0) }
        // Ends when the page closes, or with this object.
        serving = Task { await surface.run(link) }
    }

    deinit { serving.cancel() }

    /// Goes away, as a view does that is taken off the screen.
    package func close() { say.finish() }

    /// A press of a button.
    package func press(_ event: String, _ value: String? = nil) {
        var payload: [String: JSONValue] = ["name": .string(event)]
        payload["value"] = value.map { .string($0) }
        send(.object(payload))
    }

    /// A form that was sent.
    package func submit(_ form: String, _ values: [String: String]) {
        send([
            "name": "submit", "value": .string(form), "values": .object(values.mapValues { .string($0) }),
        ])
    }

    private func send(_ payload: JSONValue) {
        say.yield(
            SurfaceMessage(surface: "setup", kind: SurfaceMessage.Kind.event, id: "1", payload: payload))
    }

    /// Waits for a screen, and returns the HTML that came with it and since.
    @discardableResult
    package func until(_ screen: String, _ words: String...) async throws -> String {
        let words = ["data-setup=\"\(screen)\""] + words
        try await messages.until { _ in Self.holds(self.messages.elements, words) }
        return Self.html(Self.since(messages.elements, words[0]))
    }

    /// Lets the seconds of the safety screen pass until the light may start.
    package func countDown(_ clock: ManualClock) async throws {
        let words = ["data-setup=\"safety\"", ">The sensor covers it: start<"]
        try await clock.advance(by: .seconds(1)) { Self.holds(messages.elements, words) }
    }

    /// The screens in the order in which they came.
    package var screens: [String] {
        messages.elements.compactMap { message in
            Self.html([message]).components(separatedBy: "data-setup=\"").dropFirst().first?
                .components(separatedBy: "\"").first
        }
    }

    /// The messages of a kind that were sent.
    package func sent(_ kind: String) -> [SurfaceMessage] { messages.elements.filter { $0.kind == kind } }

    private static func holds(_ messages: [SurfaceMessage], _ words: [String]) -> Bool {
        let since = since(messages, words[0])
        guard !since.isEmpty else { return false }
        let html = html(since)
        return words.allSatisfy(html.contains)
    }

    // The newest screen only: words of an earlier one are gone from the page.
    private static func since(_ messages: [SurfaceMessage], _ mark: String) -> [SurfaceMessage] {
        guard let last = messages.lastIndex(where: { html([$0]).contains("data-setup=\"") }),
            html([messages[last]]).contains(mark)
        else { return [] }
        return Array(messages[last...])
    }

    private static func html(_ messages: [SurfaceMessage]) -> String {
        messages.flatMap { message -> [String] in
            guard case .array(let steps)? = message.payload["ops"] else { return [] }
            return steps.compactMap { $0["html"]?.string }
        }.joined(separator: "\n")
    }
}

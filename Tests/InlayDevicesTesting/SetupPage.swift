import Foundation
@_spi(Inlay) package import InlaySurface
@_spi(Inlay) package import InlayTesting
@_spi(Inlay) import InlayWire

/// A simulated page: it collects the HTML that the surface sends, and sends the user's events.
package final class SetupPage: Sendable {
    private let messages: StreamRecorder<SurfaceMessage>
    private let eventContinuation: AsyncStream<SurfaceMessage>.Continuation
    private let surfaceTask: Task<Void, Never>

    package init(_ surface: any Surface, environment: SurfaceEnvironment = SurfaceEnvironment()) {
        let (events, eventContinuation) = AsyncStream.makeStream(of: SurfaceMessage.self)
        let (sent, send) = AsyncStream.makeStream(of: SurfaceMessage.self)
        self.eventContinuation = eventContinuation
        messages = StreamRecorder(sent)
        let link = SurfaceLink(events: events, environment: environment) { send.yield($0) }
        // Ends when the page closes, or with this object.
        surfaceTask = Task { await surface.run(link) }
    }

    deinit { surfaceTask.cancel() }

    /// Disconnects, like a view that is taken off the screen.
    package func close() { eventContinuation.finish() }

    /// Sends a press of a button.
    package func press(_ event: String, _ value: String? = nil) {
        var payload: [String: JSONValue] = ["name": .string(event)]
        payload["value"] = value.map { .string($0) }
        send(.object(payload))
    }

    /// Sends a form.
    package func submit(_ form: String, _ values: [String: String]) {
        send([
            "name": "submit", "value": .string(form), "values": .object(values.mapValues { .string($0) }),
        ])
    }

    private func send(_ payload: JSONValue) {
        eventContinuation.yield(
            SurfaceMessage(surface: "setup", kind: SurfaceMessage.Kind.event, id: "1", payload: payload))
    }

    /// Waits for a screen with these texts, and returns its HTML with all HTML that was sent after it.
    @discardableResult
    package func until(_ screen: String, _ texts: String...) async throws -> String {
        let texts = ["data-setup=\"\(screen)\""] + texts
        try await messages.until { _ in Self.contains(self.messages.elements, texts) }
        return Self.html(Self.since(messages.elements, texts[0]))
    }

    /// Advances the clock by seconds until the light may start.
    package func countDown(_ clock: ManualClock) async throws {
        let texts = ["data-setup=\"safety\"", ">The sensor covers it: start<"]
        try await clock.advance(by: .seconds(1)) { Self.contains(messages.elements, texts) }
    }

    /// The names of the screens, in the order in which they were shown.
    package var screens: [String] {
        messages.elements.compactMap { message in
            Self.html([message]).components(separatedBy: "data-setup=\"").dropFirst().first?
                .components(separatedBy: "\"").first
        }
    }

    /// Returns the received messages of a kind.
    package func sent(_ kind: String) -> [SurfaceMessage] { messages.elements.filter { $0.kind == kind } }

    private static func contains(_ messages: [SurfaceMessage], _ texts: [String]) -> Bool {
        let since = since(messages, texts[0])
        guard !since.isEmpty else { return false }
        let html = html(since)
        return texts.allSatisfy(html.contains)
    }

    // Only the newest screen counts: texts of an earlier screen are no longer on the page.
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

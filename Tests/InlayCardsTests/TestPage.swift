@_spi(Inlay) import InlayCards
@_spi(Inlay) import InlaySurface
@_spi(Inlay) import InlayTesting
@_spi(Inlay) import InlayWire

/// A page without a browser, which applies patches to its regions and sends user events.
final class TestPage: Sendable {
    private let host: Task<Void, Never>
    private let events: AsyncStream<SurfaceMessage>.Continuation
    private let name: String
    let messages: StreamRecorder<SurfaceMessage>

    init(_ surface: CardListSurface) {
        let (incoming, events) = AsyncStream.makeStream(of: SurfaceMessage.self)
        let (outgoing, sent) = AsyncStream.makeStream(of: SurfaceMessage.self)
        self.events = events
        name = surface.name
        messages = StreamRecorder(outgoing)
        let link = SurfaceLink(events: incoming) { sent.yield($0) }
        // Ends when the page closes.
        host = Task { await surface.run(link) }
    }

    deinit { events.finish() }

    func close() async {
        events.finish()
        await host.value
    }

    func user(_ event: String, _ values: [String: JSONValue] = [:]) {
        var payload = values
        payload["name"] = .string(event)
        events.yield(SurfaceMessage(surface: name, kind: "event", id: "1", payload: .object(payload)))
    }

    func send(_ kind: String, _ payload: JSONValue = [:]) {
        events.yield(SurfaceMessage(surface: name, kind: kind, id: "1", payload: payload))
    }

    /// The regions by key after all patches so far.
    var regions: [String: String] { Self.regions(messages.elements) }

    /// Waits until the regions meet the condition; later patches may change them again.
    func until(_ condition: @escaping @Sendable ([String: String]) -> Bool) async throws {
        try await messages.until { _ in condition(Self.regions(self.messages.elements)) }
    }

    /// Waits until exactly these cards are on the page.
    func untilCards(_ ids: Set<String>) async throws {
        try await until { Set($0.keys.filter { $0.hasPrefix("card/") }) == Set(ids.map { "card/\($0)" }) }
    }

    private static func regions(_ messages: [SurfaceMessage]) -> [String: String] {
        var regions: [String: String] = [:]
        for message in messages where message.kind == "patch" {
            guard case .array(let operations)? = message.payload["ops"] else { continue }
            for operation in operations {
                guard let key = operation["key"]?.string else { continue }
                if operation["op"] == "remove" { regions[key] = nil }
                if let html = operation["html"]?.string { regions[key] = html }
            }
        }
        return regions
    }
}

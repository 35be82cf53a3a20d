import InlayCore
import InlayWire

/// Posts what was read to the session's own server, but never where somebody on the way could read it too.
struct HubMetricsWire: OutboxWire {
    /// Whether the way to the server is TLS, or stays on this machine.
    let isSecure: Bool
    private let batch = BatchWire(path: InlayPath.analytics)

    func call(for items: [OutboxItem]) throws -> APICall {
        // What is thrown here keeps the items: they go out once the app has a server with TLS.
        guard isSecure else {
            throw APIError(.network(.unreachable("what was read is sent over https only")))
        }
        return batch.call(for: items)
    }

    func replies(to items: [OutboxItem], by response: APIResponse) throws(APIError) -> [OutboxReply] {
        try batch.replies(to: items, by: response)
    }
}

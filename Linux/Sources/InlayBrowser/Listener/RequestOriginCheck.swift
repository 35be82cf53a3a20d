import NIOHTTP1

/// The checks of a request's `Host` and `Origin`, before its path is looked up.
enum RequestOriginCheck {
    /// Whether the `Host` field names this listener.
    ///
    /// A page of another site can let its own domain resolve to 127.0.0.1 and then read our responses under its origin,
    /// but the browser sends that domain as `Host`.
    static func isForUs(_ head: HTTPRequestHead, port: Int) -> Bool {
        let hosts = head.headers["host"]
        return hosts.count == 1 && authorities(port).contains(hosts[0].lowercased())
    }

    /// Whether a WebSocket is opened by one of our own pages. Browsers let every page open WebSockets to every host;
    /// only the `Origin` field distinguishes the pages, so it is required.
    static func isOurOrigin(_ head: HTTPRequestHead) -> Bool {
        let origins = head.headers["origin"]
        guard origins.count == 1, let host = head.headers.first(name: "host") else { return false }
        return origins[0].lowercased() == "http://\(host.lowercased())"
    }

    private static func authorities(_ port: Int) -> Set<String> {
        ["127.0.0.1:\(port)", "localhost:\(port)"]
    }
}

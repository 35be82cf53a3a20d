import NIOHTTP1

/// Checks who asks, before anything is looked up.
enum ConnectionLimiter {
    /// Whether the request was meant for this listener.
    ///
    /// A page of another site can make its own name point to 127.0.0.1 and read our answers under its
    /// origin; the browser then still sends that name as `Host`.
    static func isForUs(_ head: HTTPRequestHead, port: Int) -> Bool {
        let hosts = head.headers["host"]
        return hosts.count == 1 && authorities(port).contains(hosts[0].lowercased())
    }

    /// Whether a WebSocket is opened by one of our own pages. Browsers let every page open sockets
    /// everywhere; only `Origin` distinguishes them, so it must be there.
    static func isOurOrigin(_ head: HTTPRequestHead) -> Bool {
        let origins = head.headers["origin"]
        guard origins.count == 1, let host = head.headers.first(name: "host") else { return false }
        return origins[0].lowercased() == "http://\(host.lowercased())"
    }

    private static func authorities(_ port: Int) -> Set<String> {
        ["127.0.0.1:\(port)", "localhost:\(port)"]
    }
}

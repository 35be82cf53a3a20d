import Foundation

/// Who may be asked without TLS.
enum AdPlainHosts {
    /// This machine, for an app whose server is there too: whoever tries things out has no certificate. Nobody for
    /// any other app.
    static func hosts(for server: URL) -> Set<String> {
        let hosts: Set = ["127.0.0.1", "localhost"]
        guard server.scheme?.lowercased() == "http", let host = server.host, hosts.contains(host) else {
            return []
        }
        return hosts
    }
}

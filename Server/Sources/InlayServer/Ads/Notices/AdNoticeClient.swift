import AsyncHTTPClient
import Foundation
import InlayWire
import NIOCore
import NIOHTTP1

/// Calls one address of a notice: no redirects, no credentials, and nobody's private network.
///
/// A host is resolved here, every address of it is looked at, and the connection goes to the address that
/// was looked at: what a name answers the second time cannot lead elsewhere.
actor AdNoticeClient {
    /// The connections to one host at the address that was looked at.
    private final class Line {
        let client: HTTPClient
        let until: ContinuousClock.Instant = .now + AdNoticeClient.life
        /// Calls under way.
        var calls = 0
        /// No new calls; it closes behind the last one.
        var isRetired = false

        init(_ client: HTTPClient) { self.client = client }
    }

    private static let timeout: TimeAmount = .seconds(5)
    private static let life: Duration = .seconds(30)
    private static let lookup: Duration = .seconds(3)
    private static let mostHosts = 64

    private let lookups: HostLookups
    private var lines: [String: Line] = [:]
    private var isClosed = false

    init(allowsPrivate: Bool) {
        lookups = HostLookups(limit: Self.lookup) { host in
            try await ResolvedAddress.look(up: host, allowsPrivate: allowsPrivate)
        }
    }

    /// Calls it once, within eight seconds: a lookup and a call.
    func send(_ notice: AdNotice) async -> AdNoticeAnswer {
        guard let name = Self.name(in: notice.url) else {
            return .impossible("not an address of http or https")
        }
        do {
            let line = try await enter(name, for: notice.lane)
            defer { leave(line) }
            let response = try await line.client.execute(request(notice), timeout: Self.timeout)
            let status = Int(response.status.code)
            return (200..<300).contains(status) ? .acknowledged(status) : .later(status)
        } catch let refusal as RefusedAddress {
            return .refused(refusal.words)
        } catch {
            return .silent(String(describing: error))
        }
    }

    /// Ends all connections; later sends fail.
    func close() async {
        isClosed = true
        let clients = lines.values.map(\.client)
        lines = [:]
        for client in clients { try? await client.shutdown() }
    }

    /// The host of an address, read as the HTTP client reads it: `URLComponents` tells `xn--…` in its own letters,
    /// and then one name would be looked at and another called.
    static func name(in address: String) -> String? {
        guard let url = URL(string: address), let scheme = url.scheme?.lowercased(),
            scheme == "https" || scheme == "http", let host = url.host, !host.isEmpty, url.user == nil
        else { return nil }
        return host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
    }

    private func request(_ notice: AdNotice) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: notice.url)
        request.headers.add(name: "User-Agent", value: "Inlay")
        if !notice.deviceAddress.isEmpty {
            request.headers.add(name: "X-Device-IP", value: notice.deviceAddress)
        }
        if !notice.userAgent.isEmpty {
            request.headers.add(name: "X-Device-User-Agent", value: notice.userAgent)
        }
        return request
    }

    /// The line to a host, with one more call on it: from here on nobody closes it under the call.
    private func enter(_ host: String, for lane: String) async throws -> Line {
        if let known = known(host) { return entered(known) }
        let address = try await lookups.address(of: host, for: lane)
        guard !isClosed else { throw CancellationError() }
        // Somebody else may have looked it up meanwhile.
        if let known = known(host) { return entered(known) }
        retire(host)
        if lines.count >= Self.mostHosts, let idle = lines.first(where: { $0.value.calls == 0 }) {
            retire(idle.key)
        }
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.dnsOverride = [host: address]
        configuration.timeout.connect = .seconds(3)
        configuration.connectionPool.idleTimeout = .seconds(20)
        let line = Line(HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration))
        lines[host] = line
        return entered(line)
    }

    private func entered(_ line: Line) -> Line {
        line.calls += 1
        return line
    }

    private func known(_ host: String) -> Line? {
        lines[host].flatMap { $0.until > .now ? $0 : nil }
    }

    private func leave(_ line: Line) {
        line.calls -= 1
        closeIfLast(line)
    }

    private func retire(_ host: String) {
        guard let line = lines.removeValue(forKey: host) else { return }
        line.isRetired = true
        closeIfLast(line)
    }

    /// A client that is shut down cuts what is under way, and a call that is cut is made again.
    private func closeIfLast(_ line: Line) {
        guard line.isRetired, line.calls == 0 else { return }
        // Ends at once: nothing is under way.
        Task { [client = line.client] in try? await client.shutdown() }
    }
}

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
    private struct Pinned {
        let address: String
        let client: HTTPClient
        let until: ContinuousClock.Instant
        var isUsed: Int
    }

    private static let timeout: TimeAmount = .seconds(5)
    private static let life: Duration = .seconds(30)
    private static let mostHosts = 64

    private let allowsPrivate: Bool
    private var pinned: [String: Pinned] = [:]
    private var isClosed = false

    init(allowsPrivate: Bool) { self.allowsPrivate = allowsPrivate }

    /// Calls it once.
    func send(_ notice: AdNotice) async -> AdNoticeAnswer {
        guard let parts = URLComponents(string: notice.url), let scheme = parts.scheme?.lowercased(),
            scheme == "https" || scheme == "http", let host = parts.host, !host.isEmpty, parts.user == nil
        else { return .impossible("not an address of http or https") }
        let name = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        do {
            let client = try await client(for: name)
            defer { leave(name, client) }
            let response = try await client.execute(request(notice), timeout: Self.timeout)
            let status = Int(response.status.code)
            return (200..<300).contains(status) ? .acknowledged(status) : .later("\(status)")
        } catch let refusal as RefusedAddress {
            return .impossible(refusal.words)
        } catch {
            return .later(String(describing: error))
        }
    }

    /// Ends all connections; later sends fail.
    func close() async {
        isClosed = true
        let clients = pinned.values.map(\.client)
        pinned = [:]
        for client in clients { try? await client.shutdown() }
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

    private func client(for host: String) async throws -> HTTPClient {
        if let known = pinned[host], known.until > .now {
            pinned[host]?.isUsed += 1
            return known.client
        }
        let address = try await ResolvedAddress.look(up: host, allowsPrivate: allowsPrivate)
        guard !isClosed else { throw CancellationError() }
        // Somebody else may have looked it up meanwhile.
        if let known = pinned[host], known.until > .now {
            pinned[host]?.isUsed += 1
            return known.client
        }
        retire(host)
        if pinned.count >= Self.mostHosts, let idle = pinned.first(where: { $0.value.isUsed == 0 }) {
            retire(idle.key)
        }
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.dnsOverride = [host: address]
        configuration.timeout.connect = .seconds(3)
        configuration.connectionPool.idleTimeout = .seconds(20)
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        pinned[host] = Pinned(address: address, client: client, until: .now + Self.life, isUsed: 1)
        return client
    }

    private func leave(_ host: String, _ client: HTTPClient) {
        guard pinned[host]?.client === client else { return }
        pinned[host]?.isUsed -= 1
    }

    private func retire(_ host: String) {
        guard let old = pinned.removeValue(forKey: host) else { return }
        // Ends by itself once its requests are over: 5 s at most.
        Task { try? await old.client.shutdown() }
    }
}

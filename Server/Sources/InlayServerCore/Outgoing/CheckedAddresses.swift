import Foundation
package import NIOCore
import NIOPosix

/// The addresses of a host that an ``AddressGuard`` allowed, to connect to in the order and at the times of RFC 8305
/// ("Happy Eyeballs"), which NIO has.
///
/// IPv6 and IPv4 take turns. The next address is tried after 250 milliseconds, or at once when all before it failed,
/// and the first connection ends the other tries.
package struct CheckedAddresses: Sendable {
    /// The number of addresses that are tried; a name may have any number.
    static let maximumTried = 8

    private let host: String
    private let port: Int
    /// The number of addresses that the host has.
    private let count: Int
    let ipv6: [SocketAddress]
    let ipv4: [SocketAddress]

    /// Numeric addresses of a host, as ``AddressGuard/addresses(of:)`` returns them. None is kept for a port above
    /// 65,535.
    package init(_ addresses: [String], of host: String, port: Int) {
        let isPort = UInt16(exactly: port) != nil
        let all = isPort ? addresses.compactMap { try? SocketAddress(ipAddress: $0, port: port) } : []
        let (sixes, fours) = (all.filter { $0.protocol == .inet6 }, all.filter { $0.protocol == .inet })
        // Half of the tries belong to each family: a thousand dead addresses of one must not hide the other's only one.
        let half = Self.maximumTried / 2
        ipv6 = Array(sixes.prefix(max(half, Self.maximumTried - fours.count)))
        ipv4 = Array(fours.prefix(max(half, Self.maximumTried - sixes.count)))
        (self.host, self.port, count) = (host, port, all.count)
    }

    /// Connects to the first address that answers, and returns what `wrap` makes of the connection. `wrap` runs on the
    /// connection's event loop, before anything is read, and when it throws the connection is closed. Throws
    /// ``NoConnection`` when no address takes a connection until the deadline.
    package func connect<Wrapped: Sendable>(
        until deadline: NIODeadline, _ wrap: @escaping @Sendable (any Channel) throws -> Wrapped
    ) async throws -> Wrapped {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let limit = max(.zero, deadline - NIODeadline.now())
        // Started on the loop: otherwise the connection could be made and read before it is wrapped.
        let wrapped: EventLoopFuture<Wrapped> = loop.flatSubmit {
            ClientBootstrap(group: loop)
                .resolver(KnownAddresses(ipv6: ipv6, ipv4: ipv4)).connectTimeout(limit)
                .connect(host: host, port: port)
                .flatMapThrowing { (channel: any Channel) throws -> Wrapped in
                    do { return try wrap(channel) } catch {
                        channel.close(promise: nil)
                        throw error
                    }
                }
        }
        do {
            return try await wrapped.get()
        } catch let error as NIOConnectionError {
            throw NoConnection(to: tried, error.connectionErrors.last)
        } catch ChannelError.connectTimeout {
            throw NoConnection(lateTo: tried)
        }
    }

    /// Returns the first address that answers, for a client that makes its connections itself; the connection that
    /// found the address is closed with nothing sent. An only address is returned without a try. Throws
    /// ``NoConnection``.
    func firstReachableAddress(until deadline: NIODeadline) async throws -> String {
        if count == 1, let only = (ipv6 + ipv4).first?.ipAddress { return only }
        return try await connect(until: deadline) { channel in
            defer { channel.close(promise: nil) }
            guard let address = channel.remoteAddress?.ipAddress else { throw NoConnection(to: tried, nil) }
            return address
        }
    }

    private var tried: String {
        let tries = ipv6.count + ipv4.count
        guard tries == count else { return "\(tries) of its \(count) addresses" }
        return count == 1 ? "its address" : "its \(count) addresses"
    }
}

/// The error when none of a host's addresses takes a connection. It does not name the host.
package struct NoConnection: Error, CustomStringConvertible {
    /// Whether the time ran out before each address had refused.
    let isLate: Bool
    package let description: String

    fileprivate init(lateTo tried: String) {
        (isLate, description) = (true, "no connection to \(tried) in time")
    }

    fileprivate init(to tried: String, _ last: SingleConnectionFailure?) {
        let reason = last.map { last in
            let words = (last.error as? IOError).map { String(cString: strerror($0.errnoCode)) }
            return ", the last of them \(last.target.ipAddress ?? ""): \(words ?? "\(last.error)")"
        }
        (isLate, description) = (false, "no connection to \(tried)\(reason ?? "")")
    }
}

/// A resolver that answers NIO's queries for a host's addresses with those that are known.
private struct KnownAddresses: Resolver, Sendable {
    let ipv6: [SocketAddress]
    let ipv4: [SocketAddress]

    func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> { answer(ipv6) }

    func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> { answer(ipv4) }

    func cancelQueries() {}

    private func answer(_ addresses: [SocketAddress]) -> EventLoopFuture<[SocketAddress]> {
        MultiThreadedEventLoopGroup.singleton.any().makeSucceededFuture(addresses)
    }
}

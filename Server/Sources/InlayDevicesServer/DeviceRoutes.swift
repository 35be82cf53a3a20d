import Foundation
import Hummingbird
import InlayServerCore
@_spi(Inlay) import InlayWire

/// The routes of pairings and devices: those for the owners' apps, and those that devices call themselves.
struct DeviceRoutes: Sendable {
    let gate: ApplicationGate
    let pairings: PairingStore
    let devices: DeviceStore
    let attempts: CallerLimiter
    let notifier: DeviceChangeNotifier
    /// The URL at which devices reach this server, when it is configured.
    let publicURL: BaseURL?

    /// The reason why an app cancelled a pairing.
    private struct Cancellation: Decodable { let reason: DeviceSetupFailure }

    func add(to routes: RouterGroup<ServerContext>) {
        addOwners(to: routes)
        addPairings(to: routes)
        addDevices(to: routes)
    }

    private func addPairings(to routes: RouterGroup<ServerContext>) {
        routes.post("v1/devices/pairings") { request, context in
            let account = try await gate.account(request, context)
            let asked: PairingRequest = try await body(request)
            let pairing = try await pairings.issue(
                account.identity, name: asked.name, host: host(context))
            try await notifier.notify(account.identity.environmentID, account.identity.accountID)
            return try Response.json(pairing, status: .created)
        }
        routes.get("v1/devices/pairings/:id") { request, context in
            let identity = try await gate.account(request, context).identity
            return try Response.json(
                try await pairings.status(identity.environmentID, id(context), of: identity.accountID))
        }
        routes.post("v1/devices/pairings/:id/cancel") { request, context in
            let identity = try await gate.account(request, context).identity
            let asked: Cancellation = try await body(request)
            try await notifier.notify(
                try await pairings.cancel(
                    identity.environmentID, id(context), of: identity.accountID, reason: asked.reason))
            return Response(status: .noContent)
        }
    }

    private func addOwners(to routes: RouterGroup<ServerContext>) {
        routes.get("v1/devices") { request, context in
            let identity = try await gate.account(request, context).identity
            let found = try await devices.devices(identity.environmentID, of: identity.accountID)
            return try Response.json(DeviceList(devices: found.map(\.wire)))
        }
        routes.patch("v1/devices/:id") { request, context in
            let identity = try await gate.account(request, context).identity
            let asked: DeviceChange = try await body(request)
            let device = try await devices.change(
                identity.environmentID, DeviceID(id(context)), of: identity.accountID, to: asked)
            try await notifier.notify(identity.environmentID, identity.accountID)
            return try Response.json(device.wire)
        }
        routes.delete("v1/devices/:id") { request, context in
            let identity = try await gate.account(request, context).identity
            _ = try await devices.remove(
                identity.environmentID, DeviceID(id(context)), of: identity.accountID)
            try await notifier.notify(identity.environmentID, identity.accountID)
            return Response(status: .noContent)
        }
        routes.post("v1/devices/:id/transfer") { request, context in
            let account = try await gate.account(request, context)
            try attempts.spend(.transferOffers, from: account.address)
            let identity = account.identity
            let asked: DeviceTransfer = try await body(request)
            try await devices.offer(
                identity.environmentID, DeviceID(id(context)), of: identity.accountID, to: asked.email,
                for: account.application)
            try await notifier.notify(identity.environmentID, identity.accountID)
            return Response(status: .accepted)
        }
        routes.delete("v1/devices/:id/transfer") { request, context in
            let identity = try await gate.account(request, context).identity
            try await devices.withdrawOffer(
                identity.environmentID, DeviceID(id(context)), of: identity.accountID)
            try await notifier.notify(identity.environmentID, identity.accountID)
            return Response(status: .noContent)
        }
    }

    private func addDevices(to routes: RouterGroup<ServerContext>) {
        routes.post("v1/devices/claim") { request, context in
            try attempts.spend(.setupReports, from: context.callerAddress)
            let claimed = try await pairings.claim(try await body(request))
            for owner in claimed.formerOwners.union([claimed.owner]) { try await notifier.notify(owner) }
            return try Response.json(claimed.credential)
        }
        routes.post("v1/devices/seen") { request, context in
            try attempts.spend(.setupReports, from: context.callerAddress)
            let asked: DeviceSeen = try await body(request)
            try await notifier.notify(try await pairings.seen(asked.pairingToken))
            return Response(status: .noContent)
        }
        routes.post("v1/devices/failure") { request, context in
            try attempts.spend(.setupReports, from: context.callerAddress)
            try await notifier.notify(try await pairings.failed(try await body(request)))
            return Response(status: .noContent)
        }
        routes.get("v1/devices/self") { request, _ in
            guard let credential = ClientAuthentication.bearer(request.headers[.authorization]),
                let device = try await devices.device(credential: credential)
            else { throw Problem.credentialRefused }
            return try Response.json(device.wire)
        }
    }

    private func id(_ context: ServerContext) throws -> String {
        let id = try context.parameters.require("id").removingPercentEncoding ?? ""
        guard id.utf8.count <= 64, !id.utf8.contains(0) else { throw Problem.notFound }
        return id
    }

    private func body<Value: Decodable>(_ request: Request) async throws -> Value {
        try await request.json(limit: AccountRoutes.bodyLimit)
    }

    /// Returns `host` or `host:port`: of the configured URL, else of the socket that received the request.
    private func host(_ context: ServerContext) -> String {
        publicURL?.authority.description ?? context.listenerAddress
    }

    /// Returns a warning when the host of the URL does not fit the light link together with every network name and
    /// password, else `nil`.
    static func warning(publicURL: BaseURL?) -> String? {
        guard let bytes = publicURL?.authority.description.utf8.count, bytes > Pairing.maximumHostLength
        else { return nil }
        return """
            The host of publicUrl has \(bytes) bytes: with a long network name and password it does not fit the \
            light. \(Pairing.maximumHostLength) bytes always do.
            """
    }
}

import Foundation
import InlayCore
@_spi(Inlay) public import InlayWire

extension ScriptedDevices {
    func answer(_ request: TransportRequest) -> TransportResponse {
        state.withLock { state in
            let (id, secret) = state.rules.application
            guard request.headers[InlayHeader.application] == id,
                request.headers[InlayHeader.applicationSecret] == secret
            else { return Self.problem(.applicationRefused, 401) }
            let answer = Self.account(request, &state) ?? Self.pairing(request, &state)
            return answer ?? TransportResponse(status: 404)
        }
    }

    // MARK: Accounts

    private static func account(_ request: TransportRequest, _ state: inout State) -> TransportResponse? {
        switch (request.method, request.url.path) {
        case ("POST", InlayPath.deviceAccounts): create(request, &state)
        case ("POST", InlayPath.deviceAccountProof): prove(request, &state)
        case ("POST", InlayPath.deviceSessions): logIn(request, &state)
        case ("POST", InlayPath.deviceSessionRefresh): refresh(request, &state)
        case ("DELETE", InlayPath.deviceSessions), ("DELETE", InlayPath.deviceSessionsAll):
            authorized(request, &state) { state, email in
                state.access = state.access.filter { $0.value != email }
                state.refresh = state.refresh.filter { $0.value != email }
                return TransportResponse(status: 204)
            }
        case ("GET", InlayPath.deviceSessions): sessions(request, &state)
        case ("POST", InlayPath.deviceSessionEnd): endByHash(request, &state)
        case ("POST", InlayPath.deviceAccountDeletion): delete(request, &state)
        case ("POST", InlayPath.deviceAccountDeletionCode):
            authorized(request, &state) { _, _ in TransportResponse(status: 202) }
        case ("POST", InlayPath.devicePasswordReset): json(202, AccountNext(request: "reset-1"))
        case ("POST", InlayPath.devicePassword): setPassword(request, &state)
        case ("POST", InlayPath.devicePasswordChange):
            authorized(request, &state) { _, _ in TransportResponse(status: 204) }
        case ("POST", InlayPath.deviceApplicationToken):
            authorized(request, &state) { state, email in
                guard state.rules.givesTokens else { return problem(.applicationRefused, 403) }
                return json(200, ApplicationToken(token: "token-of-\(email)"))
            }
        case ("DELETE", let path) where path.hasPrefix(InlayPath.deviceSessions + "/"):
            endOne(path, request, &state)
        default: nil
        }
    }

    private static func create(_ request: TransportRequest, _ state: inout State) -> TransportResponse {
        guard let body = decoded(AccountRequest.self, request) else { return TransportResponse(status: 400) }
        let isKnown = state.accounts.contains { $0.account.email == body.email }
        guard state.rules.opensAtOnce, !isKnown else {
            return json(202, AccountNext(request: "request-1"))
        }
        let account = DeviceAccount(id: "a\(state.accounts.count + 1)", email: body.email, proven: false)
        state.accounts.append(Account(account: account, password: body.password))
        return opening(201, account, &state)
    }

    private static func prove(_ request: TransportRequest, _ state: inout State) -> TransportResponse {
        guard let body = decoded(AccountProof.self, request), body.code == code else {
            return problem(.mailCodeRefused, 401)
        }
        if !state.accounts.contains(where: { $0.account.email == body.email }) {
            let account = DeviceAccount(id: "a\(state.accounts.count + 1)", email: body.email, proven: true)
            state.accounts.append(Account(account: account, password: nil))
        }
        guard let found = state.accounts.firstIndex(where: { $0.account.email == body.email }) else {
            return TransportResponse(status: 500)
        }
        state.accounts[found].account.proven = true
        return opening(200, state.accounts[found].account, &state)
    }

    private static func logIn(_ request: TransportRequest, _ state: inout State) -> TransportResponse {
        guard let body = decoded(AccountLogIn.self, request),
            let found = state.accounts.first(where: { $0.account.email == body.email }),
            let password = found.password, password == body.password
        else { return problem(.logInRefused, 401) }
        return opening(200, found.account, &state)
    }

    private static func refresh(_ request: TransportRequest, _ state: inout State) -> TransportResponse {
        guard let body = decoded(AccountRefresh.self, request),
            let email = state.refresh.removeValue(forKey: body.refreshToken),
            let found = state.accounts.first(where: { $0.account.email == email })
        else { return problem(.accountSessionEnded, 401) }
        return opening(200, found.account, &state)
    }

    private static func setPassword(_ request: TransportRequest, _ state: inout State) -> TransportResponse {
        guard let body = decoded(NewPassword.self, request), body.code == code,
            let found = state.accounts.firstIndex(where: { $0.account.email == body.email })
        else { return problem(.mailCodeRefused, 401) }
        guard body.newPassword.count >= 15 else { return problem(.passwordUnfit, 422) }
        state.accounts[found].password = body.newPassword
        return TransportResponse(status: 204)
    }

    private static func opening(
        _ status: Int, _ account: DeviceAccount, _ state: inout State
    ) -> TransportResponse {
        state.count += 1
        let session = AccountSession(
            accessToken: "ina_\(state.count)", refreshToken: "inr_\(state.count)",
            expiresAt: state.rules.now + state.rules.accessTokenLifetime)
        state.access[session.accessToken] = account.email
        state.refresh[session.refreshToken] = account.email
        return json(status, AccountOpening(session: session, account: account))
    }

    // MARK: Pairings and devices

    private static func pairing(_ request: TransportRequest, _ state: inout State) -> TransportResponse? {
        let path = request.url.path
        guard path == InlayPath.devices || path.hasPrefix(InlayPath.devices + "/") else { return nil }
        return authorized(request, &state) { state, _ in
            let parts = path.split(separator: "/").map(String.init)
            switch (request.method, parts.count, parts.last ?? "") {
            case ("POST", 3, "pairings"): return issue(&state)
            case ("GET", 4, let id):
                guard let status = state.pairings[id] else { return TransportResponse(status: 404) }
                state.lastReportedStatus = status
                return json(200, status)
            case ("POST", 5, "cancel"):
                if let body = decoded(PairingCancel.self, request) { state.cancelReasons.append(body.reason) }
                return TransportResponse(status: 204)
            case ("GET", 2, _): return json(200, DeviceList(devices: state.devices))
            case ("DELETE", 3, let id):
                state.devices.removeAll { $0.id == id }
                return TransportResponse(status: 204)
            case ("PATCH", 3, let id): return rename(id, request, &state)
            case ("POST", 4, "transfer"):
                return offer(parts[2], decoded(DeviceTransfer.self, request)?.email, 202, &state)
            case ("DELETE", 4, "transfer"): return offer(parts[2], nil, 204, &state)
            default: return TransportResponse(status: 404)
            }
        }
    }

    private static func issue(_ state: inout State) -> TransportResponse {
        state.count += 1
        let id = String(format: "p%06d", state.count)
        state.pairings[id] = PairingStatus(state: .issued)
        let token = Data((0..<16).map { UInt8($0) }).base64EncodedString().prefix(22)
        return json(
            201,
            Pairing(
                id: id, token: String(token), expiresAt: state.rules.now + .seconds(600),
                host: "devices.example.com"))
    }

    private static func rename(
        _ id: String, _ request: TransportRequest, _ state: inout State
    ) -> TransportResponse {
        guard let name = decoded(DeviceChange.self, request)?.name,
            let index = state.devices.firstIndex(where: { $0.id == id })
        else { return TransportResponse(status: 404) }
        state.devices[index].name = name
        return json(200, state.devices[index])
    }

    private static func offer(
        _ id: String, _ email: String?, _ status: Int, _ state: inout State
    ) -> TransportResponse {
        guard let index = state.devices.firstIndex(where: { $0.id == id }) else {
            return TransportResponse(status: 404)
        }
        state.devices[index].offeredTo = email
        state.devices[index].state = email == nil ? .active : .transferring
        return TransportResponse(status: status)
    }

    /// The device that tests pair.
    public static let device = Device(
        id: "d1", name: "Kitchen reader", model: "reader", serial: "0001",
        pairedAt: Timestamp(seconds: 2_000_000_000))

    /// Replaces the devices of the accounts.
    public func setDevices(_ devices: [Device]) { state.withLock { $0.devices = devices } }

    // MARK: Private

    static func authorized(
        _ request: TransportRequest, _ state: inout State,
        _ body: (inout State, _ email: String) -> TransportResponse
    ) -> TransportResponse {
        let token = (request.headers["Authorization"] ?? "").dropFirst("Bearer ".count)
        guard let email = state.access[String(token)] else { return problem(.tokenExpired, 401) }
        return body(&state, email)
    }

    static func decoded<Value: Decodable>(_ type: Value.Type, _ request: TransportRequest) -> Value? {
        request.body.flatMap { try? JSONDecoder().decode(type, from: $0) }
    }

    static func json(_ status: Int, _ value: some Encodable) -> TransportResponse {
        TransportResponse(status: status, body: (try? JSONEncoder().encode(value)) ?? Data())
    }

    static func problem(_ code: Problem.Code, _ status: Int) -> TransportResponse {
        json(status, Problem(code, status: status, title: "\(code.rawValue)"))
    }
}

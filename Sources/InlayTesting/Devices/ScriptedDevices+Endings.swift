import Crypto
import Foundation
import InlayCore
@_spi(Inlay) import InlayWire

/// The routes that end log-ins and delete accounts.
extension ScriptedDevices {
    static func sessions(_ request: TransportRequest, _ state: inout State) -> TransportResponse {
        let own = (request.headers["Authorization"] ?? "").dropFirst("Bearer ".count)
        return authorized(request, &state) { state, email in
            let tokens = state.access.filter { $0.value == email }.keys.sorted(by: >)
            let sessions = tokens.map {
                AccountSessionSummary(
                    id: "ses_\($0.dropFirst(4))", application: "Harbor", openedAt: state.rules.now,
                    usedAt: state.rules.now, isCurrent: $0 == own)
            }
            return json(200, AccountSessionList(sessions: sessions))
        }
    }

    static func endOne(
        _ path: String, _ request: TransportRequest, _ state: inout State
    ) -> TransportResponse {
        authorized(request, &state) { state, email in
            let number = path.split(separator: "_").last.map(String.init) ?? ""
            guard state.access["ina_\(number)"] == email else { return TransportResponse(status: 404) }
            state.access["ina_\(number)"] = nil
            state.refresh["inr_\(number)"] = nil
            return TransportResponse(status: 204)
        }
    }

    static func endByHash(_ request: TransportRequest, _ state: inout State) -> TransportResponse {
        let requestedHash = decoded(AccountSessionEnd.self, request)?.refreshTokenHash
        if let token = state.refresh.keys.first(where: { hash($0) == requestedHash }) {
            state.access["ina_\(token.dropFirst(4))"] = nil
            state.refresh[token] = nil
        }
        return TransportResponse(status: 204)
    }

    static func delete(_ request: TransportRequest, _ state: inout State) -> TransportResponse {
        authorized(request, &state) { state, email in
            let body = decoded(AccountDeletion.self, request)
            let found = state.accounts.first { $0.account.email == email }
            if let typed = body?.code, typed != code { return problem(.mailCodeRefused, 401) }
            guard body?.code != nil || found?.password != nil && found?.password == body?.password else {
                return problem(.logInRefused, 401)
            }
            state.accounts.removeAll { $0.account.email == email }
            state.access = state.access.filter { $0.value != email }
            state.refresh = state.refresh.filter { $0.value != email }
            state.devices = []
            return TransportResponse(status: 204)
        }
    }

    /// Returns a token's hash as the server stores it.
    private static func hash(_ token: String) -> String {
        SHA256.hash(data: Data(token.utf8)).map { String(format: "%02x", $0) }.joined()
    }
}

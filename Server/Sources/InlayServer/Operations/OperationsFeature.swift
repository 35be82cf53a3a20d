import Hummingbird
import InlayWire
import ServiceLifecycle

/// What those who run the server ask it: is it alive, can it answer, how is it doing.
package struct OperationsFeature: ServerFeature {
    private struct Health: Encodable { let status: String }

    private let services: ServerServices
    private let prometheus: PrometheusMetrics

    init(_ services: ServerServices, prometheus: PrometheusMetrics) {
        self.services = services
        self.prometheus = prometheus
    }

    package func addRoutes(to routes: ServerRoutes) {
        routes.root.get("health") { _, _ in try Response.json(Health(status: "ok")) }
        routes.root.get("ready") { _, _ in
            // Listening means that the schema is up to date; the rest is whether the database can be used.
            try await DatabaseReadiness(database: services.database).check()
            return try Response.json(Health(status: "ready"))
        }
        routes.root.get("metrics") { request, _ in
            try allow(request)
            var headers = HTTPFields()
            headers[.contentType] = "text/plain; version=0.0.4; charset=utf-8"
            return Response(
                status: .ok, headers: headers, body: .init(byteBuffer: .init(string: prometheus.page())))
        }
    }

    private func allow(_ request: Request) throws {
        guard let token = services.configuration.metricsToken else { return }
        let sent = ClientAuthentication.bearer(request.headers[.authorization]) ?? ""
        guard SecretString(sent) == token else {
            throw Problem(
                .tokenMissing, status: 401, title: "The measurements ask for a token.",
                detail: "Send the setting metricsToken as Authorization: Bearer.")
        }
    }
}

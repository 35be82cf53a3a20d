import Hummingbird
@_spi(Inlay) import InlayWire
import ServiceLifecycle

/// The routes for those who run the server: liveness, readiness and metrics.
package struct OperationsFeature: ServerFeature {
    private struct Health: Encodable { let status: String }

    private let services: ServerServices
    private let prometheus: PrometheusMetrics
    private let descriptions: [MetricDescription]

    /// Creates the feature that shows the metrics which these features describe, and those of requests.
    package init(
        _ services: ServerServices, prometheus: PrometheusMetrics, of features: [any ServerFeature]
    ) {
        self.services = services
        self.prometheus = prometheus
        descriptions = features.flatMap(\.metrics)
    }

    package var metrics: [MetricDescription] { RequestLog.descriptions }

    package func addRoutes(to routes: ServerRoutes) {
        routes.root.get("health") { _, _ in try Response.json(Health(status: "ok")) }
        routes.root.get("ready") { _, _ in
            // Listening means that the schema is up to date; the rest is whether the database can be used.
            try await DatabaseReadiness(database: services.database).check()
            return try Response.json(Health(status: "ready"))
        }
        let descriptions = descriptions + metrics
        routes.root.get("metrics") { request, _ in
            try allow(request)
            var headers = HTTPFields()
            headers[.contentType] = "text/plain; version=0.0.4; charset=utf-8"
            return Response(
                status: .ok, headers: headers,
                body: .init(byteBuffer: .init(string: prometheus.page(descriptions))))
        }
    }

    private func allow(_ request: Request) throws {
        guard let token = services.configuration.metricsToken else { return }
        let sent = ClientAuthentication.bearer(request.headers[.authorization]) ?? ""
        guard SecretString(sent) == token else {
            throw Problem(
                .tokenMissing, status: 401, title: "The metrics need a token.",
                detail: "Send the setting metricsToken as Authorization: Bearer.")
        }
    }
}

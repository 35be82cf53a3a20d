internal import Foundation

/// The values of `zbimconfig.plist`.
struct ZBiMConfig: Sendable {
    /// The keys that are read; other keys are ignored.
    static let keys = ["dbServiceUrl", "applID", "metricsReportingQueueId"]
    static let fileName = "zbimconfig.plist"

    var values: [String: String] = [:]
    /// The problems of the file, for the log.
    var problems: [String] = []

    /// Reads the file in a folder of resources. When it is missing or unreadable, there are no values.
    init(resources: URL) {
        let place = resources.appendingPathComponent(Self.fileName)
        guard let data = try? Data(contentsOf: place) else {
            problems = ["\(Self.fileName) is not among the app's resources."]
            return
        }
        let list = try? PropertyListSerialization.propertyList(from: data, format: nil)
        guard let entries = list as? [String: Any] else {
            problems = ["\(Self.fileName) is no property list with keys and values."]
            return
        }
        for key in Self.keys {
            let text = entries[key].map { "\($0)" } ?? ""
            if text.isEmpty { problems.append("\(Self.fileName) has no \(key).") } else { values[key] = text }
        }
        if values["dbServiceUrl"] != nil, service == nil {
            problems.append("dbServiceUrl must look like https://SERVER/v1/hub/ENVIRONMENT/SOURCE.")
        }
    }

    /// The server, the environment and the content source that `dbServiceUrl` names; `nil` when it is invalid.
    var service: (server: URL, environment: String, source: String)? {
        guard let text = values["dbServiceUrl"], var parts = URLComponents(string: text), parts.host != nil,
            parts.query == nil, parts.fragment == nil
        else { return nil }
        let path = parts.path.split(separator: "/").map(String.init)
        guard path.count >= 4, Array(path.suffix(4).prefix(2)) == ["v1", "hub"] else { return nil }
        parts.path = path.count == 4 ? "" : "/" + path.dropLast(4).joined(separator: "/")
        return parts.url.map { ($0, path[path.count - 2], path[path.count - 1]) }
    }

    /// The app's id in metrics, which is also the environment's public API key.
    var applicationID: String? { values["applID"] }

    /// The reporting queue of metrics.
    var queue: String? { values["metricsReportingQueueId"] }
}

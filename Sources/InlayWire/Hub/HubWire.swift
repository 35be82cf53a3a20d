extension InlayPath {
    /// The path of a content source's signed metadata: `GET` of `<N>.root.json`, `timestamp.json`, ….
    public static func hubMetadata(environment: String, source: String) -> String {
        "/v1/hub/\(escaped(environment))/\(escaped(source))/metadata/"
    }

    /// The path of a content source's files: `GET` of a target's path with its hash before the name.
    public static func hubTargets(environment: String, source: String) -> String {
        "/v1/hub/\(escaped(environment))/\(escaped(source))/targets/"
    }
}

extension LiveMessage {
    /// The topic of a content source: `changed` carries the version of its `timestamp.json`.
    public static func hubTopic(source: String) -> String { "hub/\(source)" }
}

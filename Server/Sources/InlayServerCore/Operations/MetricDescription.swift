/// The description of a metric for the readers of `/metrics`.
package struct MetricDescription: Sendable, Hashable {
    /// The name on the page, for example `inlay_sockets_open`.
    package let name: String
    /// One sentence about what is measured, for the page's `# HELP`.
    package let help: String

    /// Creates a description of a metric, with its name in Prometheus' spelling.
    package init(_ name: String, _ help: String) {
        self.name = name
        self.help = help
    }
}

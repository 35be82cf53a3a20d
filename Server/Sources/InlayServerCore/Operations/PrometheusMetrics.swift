package import Metrics
import NIOConcurrencyHelpers

/// A backend for swift-metrics whose page Prometheus reads: its text format, version 0.0.4.
///
/// Counters, gauges, and histograms for recorders and timers (timers in seconds). Labels and their values
/// must come from a small fixed set; a metric keeps at most 2,000 combinations and drops further ones.
package final class PrometheusMetrics: MetricsFactory, Sendable {
    private struct Name: Hashable, Comparable {
        let metric: String
        let labels: String

        static func < (left: Self, right: Self) -> Bool {
            (left.metric, left.labels) < (right.metric, right.labels)
        }
    }

    private static let maximumSeries = 2000
    private let series = NIOLockedValueBox<[Name: any PrometheusSeries]>([:])

    package init() {}

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        find(label, dimensions) { PrometheusNumber(kind: .counter) }
    }

    package func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        find(label, dimensions) { PrometheusNumber(kind: .counter) }
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        find(label, dimensions) { PrometheusNumber(kind: .gauge) }
    }

    package func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        guard aggregate else { return find(label, dimensions) { PrometheusNumber(kind: .gauge) } }
        return find(label, dimensions) { PrometheusHistogram() }
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        find(label, dimensions) { PrometheusHistogram() }
    }

    // Series live as long as the server: a counter that starts again would look like a restart.
    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    package func destroyMeter(_ handler: any MeterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}

    /// Returns everything measured so far, with the descriptions of its metrics.
    package func page(_ descriptions: [MetricDescription] = []) -> String {
        let helps = Dictionary(descriptions.map { ($0.name, $0.help) }) { first, _ in first }
        let all = series.withLockedValue { $0 }.sorted { $0.key < $1.key }
        var page = "", last = ""
        for (name, series) in all {
            if name.metric != last {
                if let help = helps[name.metric] {
                    page += "# HELP \(name.metric) \(PrometheusText.help(help))\n"
                }
                page += "# TYPE \(name.metric) \(series.kind.rawValue)\n"
                last = name.metric
            }
            page += series.lines(name.metric, name.labels)
        }
        return page
    }

    private func find<Series: PrometheusSeries>(
        _ label: String, _ dimensions: [(String, String)], _ make: () -> Series
    ) -> Series {
        let name = Name(metric: PrometheusText.name(label), labels: PrometheusText.labels(dimensions))
        return series.withLockedValue { series in
            if let known = series[name] as? Series { return known }
            let made = make()
            // A name used for two kinds keeps the first; what the second measures is lost.
            if series[name] == nil, series.count < Self.maximumSeries { series[name] = made }
            return made
        }
    }
}

import Metrics
import NIOConcurrencyHelpers

/// One metric with one combination of labels.
protocol PrometheusSeries: Sendable {
    var kind: PrometheusKind { get }
    /// Returns its lines on the page, each with its line end.
    func lines(_ name: String, _ labels: String) -> String
}

/// The kinds by their names on the page.
enum PrometheusKind: String, Sendable {
    case counter, gauge, histogram
}

/// A counter or a gauge.
final class PrometheusNumber: PrometheusSeries, CounterHandler, FloatingPointCounterHandler, MeterHandler,
    RecorderHandler
{
    let kind: PrometheusKind
    private let value = NIOLockedValueBox(0.0)

    init(kind: PrometheusKind) { self.kind = kind }

    func increment(by amount: Int64) { increment(by: Double(amount)) }
    func increment(by amount: Double) { value.withLockedValue { $0 += amount } }
    func decrement(by amount: Double) { value.withLockedValue { $0 -= amount } }
    func set(_ number: Int64) { set(Double(number)) }
    func set(_ number: Double) { value.withLockedValue { $0 = number } }
    func record(_ number: Int64) { set(Double(number)) }
    func record(_ number: Double) { set(number) }
    func reset() { set(0.0) }

    func lines(_ name: String, _ labels: String) -> String {
        "\(name)\(PrometheusText.braces(labels)) \(PrometheusText.number(value.withLockedValue { $0 }))\n"
    }
}

/// A histogram. Its limits suit durations in seconds, from half a millisecond to ten seconds.
final class PrometheusHistogram: PrometheusSeries, RecorderHandler, TimerHandler {
    private struct State {
        var counts = [Int](repeating: 0, count: PrometheusHistogram.limits.count)
        var count = 0
        var sum = 0.0
    }

    private static let limits = [
        0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]
    let kind = PrometheusKind.histogram
    private let state = NIOLockedValueBox(State())

    func record(_ value: Int64) { record(Double(value)) }
    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }

    func record(_ value: Double) {
        state.withLockedValue { state in
            if let index = Self.limits.firstIndex(where: { value <= $0 }) { state.counts[index] += 1 }
            state.count += 1
            state.sum += value
        }
    }

    func lines(_ name: String, _ labels: String) -> String {
        let state = state.withLockedValue { $0 }
        let comma = labels.isEmpty ? "" : ","
        var lines = "", total = 0
        for (limit, count) in zip(Self.limits, state.counts) {
            total += count
            lines += "\(name)_bucket{\(labels)\(comma)le=\"\(PrometheusText.number(limit))\"} \(total)\n"
        }
        lines += "\(name)_bucket{\(labels)\(comma)le=\"+Inf\"} \(state.count)\n"
        lines += "\(name)_sum\(PrometheusText.braces(labels)) \(PrometheusText.number(state.sum))\n"
        return lines + "\(name)_count\(PrometheusText.braces(labels)) \(state.count)\n"
    }
}

/// The spelling of Prometheus' text format.
enum PrometheusText {
    /// Returns a metric's name: letters, digits and `_`, not a digit first.
    static func name(_ label: String) -> String {
        // Asked several times for each request, and nearly always in order already.
        if label.utf8.allSatisfy(isPlain), label.utf8.first.map({ !(48...57).contains($0) }) ?? true {
            return label
        }
        let name = String(label.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
        return name.first?.isNumber == true ? "_" + name : name
    }

    static func labels(_ dimensions: [(String, String)]) -> String {
        dimensions.map { "\(name($0.0))=\"\(escaped($0.1))\"" }.joined(separator: ",")
    }

    static func braces(_ labels: String) -> String { labels.isEmpty ? "" : "{\(labels)}" }

    /// Returns a help text without line ends, which would begin a line of the page.
    static func help(_ text: String) -> String { escaped(text, ["\\": "\\\\", "\n": "\\n"]) }

    static func number(_ value: Double) -> String {
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return value.isNaN ? "NaN" : Int64(exactly: value).map(String.init) ?? String(value)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (97...122).contains(byte) || (65...90).contains(byte) || (48...57).contains(byte)
            || byte == UInt8(ascii: "_")
    }

    private static func escaped(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy {
            $0 != UInt8(ascii: "\\") && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\n")
        }
        guard !isPlain else { return text }
        return escapedSlowly(text)
    }

    private static func escapedSlowly(_ text: String) -> String {
        escaped(text, ["\\": "\\\\", "\"": "\\\"", "\n": "\\n"])
    }

    /// Replaces scalars and not characters: a carriage return and a line feed are one character, and so is a quotation
    /// mark with a combining mark.
    private static func escaped(_ text: String, _ escapes: [Unicode.Scalar: String]) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if let escape = escapes[scalar] {
                result.append(contentsOf: escape.unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }
}

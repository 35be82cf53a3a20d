import Foundation
import InlayCardsServer

/// An HTTP load by `wrk`, which uses less of the shared processors than a generator in Swift would.
struct Wrk {
    /// The results of one run.
    struct Outcome {
        let requestsPerSecond: Double
        let p50Millis: Double
        let p99Millis: Double
        /// The number of responses other than 2xx and 3xx, and of broken connections.
        let failures: Int
    }

    let url: String
    /// The requests, each a path with header fields, from which `wrk` chooses at random.
    var requests: [(path: String, headers: [String: String])] = []
    /// Lua code that sets the requests in place of `requests`, for example with a function `request`.
    var requestScript: String?
    var connections = 64
    var seconds = 10
    /// The intended number of requests per second; `nil` for as many as possible.
    var rate: Double?
    /// The expected response time, which is subtracted from a connection's pause between two requests.
    var answerMillis = 0.0

    func run() async throws -> Outcome {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "inlay-wrk-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let script = folder.appendingPathComponent("load.lua").path
        try lua(requestsIn: writeRequests(to: folder)).write(
            toFile: script, atomically: true, encoding: .utf8)
        let child = try ChildProcess(
            "wrk", ["-t1", "-c\(connections)", "-d\(seconds)s", "--latency", "-s", script, url])
        let output = try await child.output()
        guard let line = output.split(separator: "\n").first(where: { $0.hasPrefix("RESULT ") }) else {
            throw BenchError("wrk gave no result:\n\(output)")
        }
        let numbers = line.split(separator: " ").dropFirst().compactMap { Double($0) }
        return Outcome(
            requestsPerSecond: numbers[0], p50Millis: numbers[1] / 1000, p99Millis: numbers[2] / 1000,
            failures: Int(numbers[3]))
    }

    /// Writes whole requests to a file and returns its path. A Lua source of this size would not compile.
    private func writeRequests(to folder: URL) throws -> String {
        let file = folder.appendingPathComponent("requests").path
        let host = url.dropFirst("http://".count).prefix { $0 != "/" }
        let texts = requests.map { request in
            let fields = request.headers.map { "\($0): \($1)\r\n" }.joined()
            return "GET \(request.path) HTTP/1.1\r\nHost: \(host)\r\n\(fields)\r\n"
        }
        try texts.joined(separator: "\u{1E}").write(toFile: file, atomically: true, encoding: .utf8)
        return file
    }

    private func lua(requestsIn file: String) -> String {
        let pause = rate.map { rate in
            let mean = max(0, 1000 * Double(connections) / rate - answerMillis)
            return "function delay() return math.random() * \(2 * mean) end"
        }
        let requests = """
            local requests = {}
            function init(args)
              math.randomseed(42)
              for text in io.open("\(file)"):read("*a"):gmatch("[^\\30]+") do requests[#requests + 1] = text end
              if #requests == 0 then requests[1] = wrk.format("GET") end
            end
            function request() return requests[math.random(#requests)] end
            """
        return """
            \(requestScript ?? requests)
            \(pause ?? "")
            function done(summary, latency)
              local e = summary.errors
              io.write(string.format("RESULT %f %f %f %d\\n", summary.requests / summary.duration * 1e6,
                latency:percentile(50), latency:percentile(99),
                e.connect + e.read + e.write + e.status + e.timeout))
            end
            """
    }
}

import Foundation

/// The wall clock and processor time of this process since a start time.
struct ResourceUse {
    private let wall = Self.monotonicSeconds()
    private let cpu = Self.cpuSeconds()

    func elapsed() -> (seconds: Double, cpuSeconds: Double) {
        (Self.monotonicSeconds() - wall, Self.cpuSeconds() - cpu)
    }

    static func monotonicSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Returns the resident memory of this process; 0 on systems without /proc.
    static func residentBytes() -> Double {
        guard let statm = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
            let pages = Double(statm.split(separator: " ").dropFirst().first ?? "")
        else { return 0 }
        return pages * Double(sysconf(Int32(_SC_PAGESIZE)))
    }

    private static func cpuSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

import Foundation

/// The memory of a process and its children.
enum ProcessMemory {
    /// Bytes of memory that are the process's own, without files that it maps.
    static func bytes(of id: Int32) -> Double {
        let status = (try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
        let kilobytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) }
        return (kilobytes ?? 0) * 1024
    }

    /// The same for a process and its descendants.
    static func bytesWithChildren(of id: Int32) -> Double {
        let path = "/proc/\(id)/task/\(id)/children"
        let children = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return children.split(separator: " ").compactMap { Int32($0) }
            .reduce(bytes(of: id)) { $0 + bytes(of: $1) }
    }
}

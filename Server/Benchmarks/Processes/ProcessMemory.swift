import Foundation

/// The memory of a process and its children.
enum ProcessMemory {
    /// Returns the bytes of anonymous memory of a process, without the files that it maps.
    static func bytes(of id: Int32) -> Double {
        let status = (try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
        let kilobytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) }
        return (kilobytes ?? 0) * 1024
    }

    /// Returns the bytes of anonymous memory of a process and its children.
    static func bytesWithChildren(of id: Int32) -> Double {
        let path = "/proc/\(id)/task/\(id)/children"
        let children = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return children.split(separator: " ").compactMap { Int32($0) }
            .reduce(bytes(of: id)) { $0 + bytes(of: $1) }
    }
}

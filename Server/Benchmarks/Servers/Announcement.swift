import Foundation

/// An unbuffered line of output for the parent process.
enum Announcement {
    static func write(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}

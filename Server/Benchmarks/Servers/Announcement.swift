import Foundation

/// A line for the parent process, past every buffer.
enum Announcement {
    static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}

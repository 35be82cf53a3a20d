import Foundation

/// Unbuffered standard output, so that a pipe gets each line at once.
enum Output {
    static func line(_ text: String) {
        FileHandle.standardOutput.write(Data((text + "\n").utf8))
    }
}

import Foundation

/// What a command says on standard output, at once also when it is a pipe.
enum Output {
    static func line(_ text: String) {
        FileHandle.standardOutput.write(Data((text + "\n").utf8))
    }
}

import Foundation
@_spi(Inlay) import InlayWire

extension String {
    /// Reads the text of a file of settings, keys or passwords; throws ``ConfigurationError`` that names the file.
    ///
    /// - Parameter maximumBytes: The size up to which the file is read; a larger one is refused.
    package init(textFileAt path: String, maximumBytes: Int = 1 << 20) throws {
        func fault(_ reason: String) -> ConfigurationError {
            ConfigurationError(description: "The file \(path) cannot be used. \(reason)")
        }
        guard let file = FileHandle(forReadingAtPath: path),
            let bytes = try? file.read(upToCount: maximumBytes + 1) ?? Data()
        else { throw fault("It cannot be read.") }
        guard bytes.count <= maximumBytes else { throw fault("It is larger than \(maximumBytes) bytes.") }
        do { self = try TextFile.text(bytes) } catch { throw fault(error.description) }
    }
}

import Foundation
@_spi(Inlay) import InlayWire

extension TextFile {
    /// The text of a file that an author sends; throws ``HubFaults`` with the file and the line.
    static func text(_ file: Data, of path: String) throws(HubFaults) -> String {
        do { return try text(file) } catch { throw HubFaults(path, error.description, line: error.line) }
    }

    /// The text of a style sheet or of a file that a source has already, with U+FFFD for bytes that are none.
    ///
    /// The `@charset` of a style sheet may name any encoding; names of files are ASCII in nearly all of them. Templates of
    /// any encoding were published by older releases: they may not stop the articles that come on their date.
    static func lenientText(_ file: Data) -> String {
        (try? text(file)) ?? String(decoding: file, as: UTF8.self)
    }
}

import Foundation
@_spi(Inlay) import InlayWire

extension TextFile {
    /// Returns the text of an author's file. Throws ``HubFaults`` with the path and the line.
    static func text(_ file: Data, of path: String) throws(HubFaults) -> String {
        do { return try text(file) } catch { throw HubFaults(path, error.description, line: error.line) }
    }

    /// Returns the text of a style sheet, or of a file that the source already has, with U+FFFD for bytes that are not
    /// UTF-8.
    ///
    /// The `@charset` of a style sheet may name any encoding; file names are ASCII in nearly all of them. Older
    /// releases accepted templates of any encoding, and these must not prevent the publishing of scheduled articles.
    static func lenientText(_ file: Data) -> String {
        (try? text(file)) ?? String(decoding: file, as: UTF8.self)
    }
}

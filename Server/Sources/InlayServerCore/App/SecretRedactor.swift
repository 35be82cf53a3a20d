import InlaySQL

/// The secrets in a server's settings, and their removal from texts that others wrote: the log lines of libraries and
/// the errors that a command prints.
///
/// The server's own messages name a setting and never its value. This is for code that does not know that a text is
/// secret.
package struct SecretRedactor: Sendable {
    /// The number of bytes below which a secret is removed only where it stands alone: inside other words it occurs by
    /// chance, and the gaps would show it.
    private static let minimumLength = 8

    /// The bytes of each, the longest first: a secret may be a part of another one.
    private let secrets: [[UInt8]]

    /// Creates a redactor of secrets, and of the passwords in the addresses of databases.
    package init(_ secrets: [SecretString], databases: [SecretString] = []) {
        let all = secrets.map(\.value) + databases.flatMap { SQLDatabaseURL.passwords(in: $0.value) }
        self.secrets = Set(all).filter { !$0.isEmpty }.map { Array($0.utf8) }.sorted { $0.count > $1.count }
    }

    /// Whether there is nothing to remove.
    package var isEmpty: Bool { secrets.isEmpty }

    /// Returns the text with a placeholder in place of each secret.
    package func removed(from text: String) -> String {
        secrets.reduce(text) { text, secret in
            var text = text
            // Almost every text has none, and every log line passes here.
            let isFound = text.withUTF8 { Self.contains(secret, in: $0) }
            return isFound ? Self.remove(secret, from: Array(text.utf8)) : text
        }
    }

    private static func contains(_ secret: [UInt8], in text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.count >= secret.count else { return false }
        return (0...(text.count - secret.count)).contains {
            text[$0] == secret[0] && text[$0...].starts(with: secret)
        }
    }

    private static func remove(_ secret: [UInt8], from text: [UInt8]) -> String {
        var shown: [UInt8] = [], index = 0
        while index < text.count {
            let end = index + secret.count
            let isAlone = !isPartOfWord(shown.last) && !isPartOfWord(end < text.count ? text[end] : nil)
            if text[index...].starts(with: secret), isAlone || secret.count >= minimumLength {
                shown += SecretString.placeholder.utf8
                index = end
            } else {
                shown.append(text[index])
                index += 1
            }
        }
        return String(decoding: shown, as: UTF8.self)
    }

    /// Whether a byte belongs to a letter or a digit; every byte outside of ASCII counts as one.
    private static func isPartOfWord(_ byte: UInt8?) -> Bool {
        guard let byte else { return false }
        return byte >= 0x80 || UnicodeScalar(byte).properties.isAlphabetic || (0x30...0x39).contains(byte)
    }
}

extension InlayServerConfiguration {
    /// The secrets that these settings hold.
    package var secrets: SecretRedactor {
        SecretRedactor([metricsToken, mail?.password].compactMap(\.self), databases: [database])
    }
}

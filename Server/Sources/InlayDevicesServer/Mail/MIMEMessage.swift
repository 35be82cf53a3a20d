import Foundation
import InlayServerCore
@_spi(Inlay) import InlayWire

/// A mail in the format of RFC 5322 and 2045: plain text and HTML, both in base64, so that no line is too long, begins
/// with a dot, or contains characters that a mail server might change.
struct MIMEMessage: Hashable, Sendable {
    /// The address in `MAIL FROM`.
    let sender: String
    /// The address in `RCPT TO`.
    let recipient: String
    /// Header and body, lines ended by CRLF, without the final dot.
    let text: String

    init(
        _ message: MailMessage, id: String, to recipient: String, from sender: String, name: String,
        at date: Date = Date()
    ) {
        self.sender = sender
        self.recipient = recipient
        let domain = sender.split(separator: "@").last.map(String.init) ?? "localhost"
        let boundary = "=_\(Secret.id("", length: 24))"
        let head = [
            "From: \(Self.word(name))\r\n <\(sender)>", "To: <\(recipient)>",
            "Subject: \(Self.word(message.subject))", "Date: \(Self.stamp(date))",
            "Message-ID: <\(id)@\(domain)>", "Auto-Submitted: auto-generated", "MIME-Version: 1.0",
            "Content-Type: multipart/alternative; boundary=\"\(boundary)\"",
        ]
        let parts = [("plain", message.text), ("html", message.html)].flatMap { kind, text in
            [
                "--\(boundary)", "Content-Type: text/\(kind); charset=utf-8",
                "Content-Transfer-Encoding: base64", "", Self.base64(text),
            ]
        }
        text = (head + [""] + parts + ["--\(boundary)--", ""]).joined(separator: "\r\n")
    }

    /// Returns a text as encoded words of a header (RFC 2047). It is always encoded, so that nothing in it can end the
    /// header.
    static func word(_ text: String) -> String {
        var words: [String] = [], chunk = ""
        // By scalars, which must not be split; a single character may have hundreds of them.
        for scalar in text.unicodeScalars {
            // A line with an encoded word has at most 76 characters. The word of 39 bytes has 64; "Subject: " has 9.
            if chunk.utf8.count + UTF8.width(scalar) > 39, !chunk.isEmpty {
                words.append(chunk)
                chunk = ""
            }
            chunk.unicodeScalars.append(scalar)
        }
        words.append(chunk)
        return words.map { "=?UTF-8?B?\(Data($0.utf8).base64EncodedString())?=" }.joined(separator: "\r\n ")
    }

    private static func base64(_ text: String) -> String {
        let plain = text.replacing("\r\n", with: "\n").replacing("\n", with: "\r\n")
        return Data(plain.utf8).base64EncodedString(options: [
            .lineLength76Characters, .endLineWithCarriageReturn, .endLineWithLineFeed,
        ])
    }

    private static func stamp(_ date: Date) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = .gmt
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss '+0000'"
        return formatter.string(from: date)
    }
}

internal import Foundation

/// Names this installation and no person: the facade's apps have no token.
enum YabbiToken {
    /// An unsigned token whose subject is made once and kept. It opens the store; no ad server gets it.
    static func anonymous(in folder: URL) -> String {
        let place = folder.appendingPathComponent("installation")
        let kept = (try? Data(contentsOf: place)).map { String(decoding: $0, as: UTF8.self) }
        let subject = kept ?? UUID().uuidString.lowercased()
        if kept == nil { try? Data(subject.utf8).write(to: place, options: .atomic) }
        return [#"{"alg":"none","typ":"JWT"}"#, #"{"sub":"\#(subject)"}"#].map(base64URL).joined(
            separator: ".") + "."
    }

    private static func base64URL(_ text: String) -> String {
        Data(text.utf8).base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }
}
